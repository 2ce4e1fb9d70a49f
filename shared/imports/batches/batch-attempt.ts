import type { Enrichment } from '../../enrichment/enrichers.ts';
import type { Rehearsal } from '../../ingest/rehearsal.ts';
import type { AcceptedRecord } from '../../profiles/contribution.ts';
import type { RecordOutcome } from '../../profiles/types.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { VersionStore } from '../rows/read-rows.ts';
import type { Batch } from '../items/batch.ts';
import type { GuardDeps } from '../guards/judge-file.ts';
import type { ChangeDeps } from '../repository/change-job.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { ImportJob } from '../items/import-job.ts';

export interface BatchDeps extends ChangeDeps, GuardDeps {
  readonly uploads: VersionStore;
  readonly work: VersionStore & Pick<ObjectStore, 'get' | 'put'>;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  /**
   * Stores records on their profiles. `attemptId` is unique per call. `repeated` means that an earlier call may have
   * stored the records. The drainer updates the index later.
   */
  readonly store: (
    scope: PropertyScope,
    records: readonly AcceptedRecord[],
    attempt: { readonly attemptId: string; readonly repeated: boolean },
  ) => Promise<readonly RecordOutcome[]>;
  /** Begins a rehearsal of the records of a batch, for dry runs. It stores nothing. */
  readonly rehearse: (scope: PropertyScope) => Rehearsal;
  readonly enrichment: Enrichment;
  /** Asks the drainer to bring groups of ordinals into the index. */
  readonly requestDrains: (property: number, groups: readonly number[]) => Promise<void>;
  readonly ids: Ids;
}

/** One attempt of a worker at a batch. */
export interface BatchAttempt {
  readonly job: ImportJob;
  readonly batch: Batch;
  readonly definition: ImportDefinition;
  readonly attemptId: string;
  /** Whether another worker has begun the batch before, or begins it at the same time. */
  readonly repeated: boolean;
}
