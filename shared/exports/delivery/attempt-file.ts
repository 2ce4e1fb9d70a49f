/** Attempt file: makes one attempt at a delivery that sends the file of a job to its client. */
import type { AttemptOutcome } from '../../deliveries/delivery-state.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { DeliveryKind, ExportDefinition, ExportJob, JobRef } from '../model/items.ts';
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts';
import { claimPath } from './shared-path.ts';

export interface FileDeps extends DeliveryDeps {
  readonly files: Pick<ObjectStore, 'read' | 'head'>;
  /** Time of one attempt, below the timeout of its function. */
  readonly attemptSeconds: number;
}

/** What an attempt sends, by the definition that the job worked by. */
export interface FileAttempt {
  readonly job: ExportJob;
  readonly definition: ExportDefinition;
  /** Claims the path of the file for the job's run, and says whether a later run has claimed the path. */
  readonly isSuperseded: () => Promise<boolean>;
}

/** Time to store the outcome of an attempt, and the difference between clocks. */
const MARGIN_SECONDS = 60;

/** Makes one attempt at a delivery if it is due. Its lease lasts longer than the attempt may take. */
export const attemptFile = (
  deps: FileDeps,
  ref: JobRef,
  kind: Extract<DeliveryKind, 'sftp' | 's3'>,
  send: (attempt: FileAttempt) => Promise<AttemptOutcome>,
): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind,
    leaseSeconds: deps.attemptSeconds + MARGIN_SECONDS,
    send: (job, definition) =>
      send({
        job,
        definition,
        isSuperseded: async () => (await claimPath(deps, kind, definition, job)) === 'superseded',
      }),
  });
