import { limits } from '../../config/limits.ts';
import { changeJob, type ChangeDeps } from '../model/change-job.ts';
import type { ImportJob } from '../model/import-job.ts';
import type { Batch } from '../model/batch.ts';

/**
 * Fixes, once and for all, which batches of a cancelled job are finished: those that workers have begun by now. Every batch
 * that is begun later is not worked off, and no end of the job is told before this is fixed. A worker notes that it begins
 * a batch, and asks here behind that note: either the note is seen here, or the worker sees that the job was cancelled.
 * Answers the job as it is then.
 */
export const settleCancellation = async (deps: ChangeDeps, job: ImportJob): Promise<ImportJob> => {
  if (job.phase !== 'cancelled' || job.finishing) return job;
  const { property, id } = job;
  const finishing = begunOf(await deps.imports.batches(property, id));
  await changeJob(deps, { property, job: id }, (seen) => (seen.finishing ? undefined : { finishing }));
  const fixed = await deps.imports.job(property, id);
  if (!fixed) throw new Error('import: the job is not there');
  return fixed;
};

/** UUIDs of the batches under work. Of more than a job can name, the latest: no more workers run at once. */
const begunOf = (batches: readonly Batch[]): string[] =>
  batches
    .filter(({ begun, result, parked }) => begun !== null && !result && parked === null)
    .sort((one, other) => (other.begun ?? 0) - (one.begun ?? 0))
    .slice(0, limits.imports.finishingBatches)
    .map(({ uuid }) => uuid);
/**
 * Whether a batch will never be worked off: its job was cancelled before any worker had begun it, or after all gave up. No
 * batch is taken for such before `fixCancelled` has told which ones are finished.
 */

export const isBatchCancelled = (
  { phase, finishing }: Pick<ImportJob, 'phase' | 'finishing'>,
  { uuid, parked }: Batch,
): boolean => phase === 'cancelled' && finishing !== null && (parked !== null || !finishing.includes(uuid));
