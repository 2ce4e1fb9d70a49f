/** Replay changes: lets the newest job of an export tell its changes once more, and no older one. */
import type { StoredDelivery } from '../../deliveries/make-attempt.ts';
import type { Pause } from '../../runtime/pause.ts';
import { done, retryOnConflict } from '../../runtime/retry.ts';
import type { Attributes, Table, WriteOutcome } from '../../table/table.ts';
import type { DeliveryKind, ExportDefinition, ExportDelivery, ExportJob } from '../model/items.ts';
import { replayWrite, updateDefinition, type ExportRepository } from '../model/repository.ts';
import { isBeforeRestore } from '../parts/delta-base.ts';

/** Why the changes of an older job are not told again: they would take back what a newer job told. */
export const supersededChanges =
  'A newer job has begun, or the export has another receiver of changes; this job tells nothing more.';

/** Ports of a replay of changes. */
export interface ReplayChangesDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly exports: ExportRepository;
  readonly pause: Pause;
}

/** Whether a job may still tell its changes: no later one has begun, and it has the receiver of the export. */
const mayTell = (
  { current_job, feed_revision }: ExportDefinition,
  { job, plan }: Pick<ExportJob, 'job' | 'plan'>,
): boolean => current_job === job && plan !== null && plan.revision >= feed_revision;

/**
 * Whether a job must not tell its changes: a later job has begun, the receiver is another one now, or the table was restored
 * to a time before the plan of the job.
 */
export const isOvertaken = async (
  { exports }: Pick<ReplayChangesDeps, 'exports'>,
  job: ExportJob,
): Promise<boolean> => {
  const seen = await exports.definition(job.property, job.export);
  if (!seen || !mayTell(seen.value, job) || !job.plan) return true;
  return isBeforeRestore({ exports }, job.property, job.plan.watermark);
};

/**
 * The write that begins a replay of changes. It changes the definition, too, so that no later job begins at the same time:
 * the job then holds the slot until the replay has ended. What a receiver has taken stays told if the replay is given up.
 */
export const beginTelling =
  (
    { table, exports, pause }: ReplayChangesDeps,
    job: ExportJob,
    { state }: Pick<ExportDelivery, 'state'>,
  ): StoredDelivery<DeliveryKind>['update'] =>
  (replay, expect: Attributes): Promise<WriteOutcome> =>
    retryOnConflict<WriteOutcome>({ pause, what: 'exports: a definition' }, async () => {
      const seen = await exports.definition(job.property, job.export);
      if (!seen || !mayTell(seen.value, job)) return done('refused');
      const told = state === 'delivered' ? { told_job: job.job, untold_job: null } : {};
      const refused = await table.transact([
        replayWrite(job, replay, expect),
        updateDefinition(seen, { current_job: job.job, ...told }),
      ]);
      if (refused.length === 0) return done('applied');
      return refused.includes(0) ? done('refused') : 'conflict';
    });
