import { limits } from '../../config/limits.ts';
import { changeJob, existingJob, type ChangeDeps } from '../repository/change-job.ts';
import type { ImportJob } from '../items/import-job.ts';
import type { Batch } from '../items/batch.ts';
import { isCountedFinished, type NamedTally } from '../counting/tally.ts';

/**
 * Settles a cancellation: determines once which batches of the job workers still finish, namely the batches that
 * workers have begun by now. No worker imports a batch that it begins later, and the job does not end before the
 * cancellation is settled. A worker marks a batch as begun and then calls this function. So either this function sees
 * the mark, or the worker sees that the job was cancelled. Returns the job as it is after that.
 */
export const settleCancellation = async (deps: ChangeDeps, job: ImportJob): Promise<ImportJob> => {
  if (job.phase !== 'cancelled' || job.finishing) return job;
  const { property, id } = job;
  const batches = await deps.imports.batches(property, id);
  const finishing = begunOf(batches, await deps.imports.tallies(property, id));
  await changeJob(deps, { property, job: id }, (seen) => (seen.finishing ? undefined : { finishing }));
  return existingJob(deps.imports, property, id);
};

/**
 * UUIDs of the batches in progress: those that a worker has begun, and whose result no tally counts yet. If a job has room for fewer, the
 * latest ones: no more workers run at once.
 */
const begunOf = (batches: readonly Batch[], tallies: readonly NamedTally[]): string[] =>
  batches
    .filter((batch) => batch.begun !== null && batch.parked === null && !isCountedFinished(tallies, batch))
    .sort((one, other) => (other.begun ?? 0) - (one.begun ?? 0))
    .slice(0, limits.imports.finishingBatches)
    .map(({ uuid }) => uuid);

/**
 * Whether no worker will import a batch, because its job was cancelled before any worker had begun the batch, or after the
 * batch was parked. No batch counts as cancelled before `settleCancellation` has determined which batches workers finish.
 */
export const isBatchCancelled = (
  { phase, finishing }: Pick<ImportJob, 'phase' | 'finishing'>,
  { uuid, parked }: Batch,
): boolean => phase === 'cancelled' && finishing !== null && (parked !== null || !finishing.includes(uuid));

/** Whether no worker will import a batch, because it was cancelled or its job is undone. */
export const isBatchDropped = (job: Pick<ImportJob, 'phase' | 'finishing' | 'undo'>, batch: Batch): boolean =>
  job.undo !== null || isBatchCancelled(job, batch);
