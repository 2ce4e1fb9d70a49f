import type { Enrichment } from '../../enrichment/request.ts';
import type { AcceptedRecord } from '../../profiles/contribution.ts';
import type { RecordOutcome } from '../../profiles/types.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { ChangeDeps } from '../model/change-job.ts';
import type { ImportJob, Batch } from '../model/job.ts';
import type { ImportDefinition } from '../model/definition.ts';

export interface BatchDeps extends ChangeDeps {
  readonly uploads: Pick<ObjectStore, 'read'>;
  readonly work: Pick<ObjectStore, 'read' | 'get' | 'put'>;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  /**
   * Stores records on their profiles. `attemptId` is unique per call. `repeated` means that an earlier call may have stored
   * the records. The index follows when its groups are drained.
   */
  readonly store: (
    scope: PropertyScope,
    records: readonly AcceptedRecord[],
    attempt: { readonly attemptId: string; readonly repeated: boolean },
  ) => Promise<readonly RecordOutcome[]>;
  readonly enrichment: Enrichment;
  /** Asks for groups of ordinals to be brought into the index. */
  readonly requestDrains: (property: number, groups: readonly number[]) => Promise<void>;
  readonly ids: Ids;
  readonly clock: () => number;
}

/** A batch under work: all that an attempt at it is made of. */
export interface BatchAttempt {
  readonly job: ImportJob;
  readonly batch: Batch;
  readonly definition: ImportDefinition;
  /** Names this attempt. */
  readonly attemptId: string;
  /** Whether others have begun the batch before, or at the same time. */
  readonly repeated: boolean;
}
