/** Read progress: counts the progress of an import job from its batches and the completeness barrier. */
import { limits } from '../../config/limits.ts';
import type { ChangeDeps } from '../repository/change-job.ts';
import { settleCancellation } from './cancellation.ts';
import type { ImportJob, Progress } from '../items/import-job.ts';
import { isProcessed, progressOf, resultsOf, type Totals, totalsOf } from './job-progress.ts';
import type { ImportRepository } from '../repository/repository.ts';

/**
 * Completeness barrier: `isSettled` tells whether the index contains every journal entry that writers opened by a time
 * (epoch milliseconds). An implementation may also ask the drainer to index the entries that are still missing
 * (`drainingBarrier`).
 */
export interface Barrier {
  isSettled(property: number, announcedBy: number): Promise<boolean>;
}

export interface ProgressDeps extends ChangeDeps {
  readonly barrier: Barrier;
}

/**
 * Reads the progress of a job. The function counts it from the tallies of the batches and the barrier. For a finished
 * job it stores the progress with the number of batches, and returns the stored progress until that number changes.
 * Later writes of other jobs therefore cannot make a finished job look unfinished. The progress of an undone job is never
 * stored: a request that came beside the undo may still add a batch, whose rows then count as failed.
 */
export const readProgress = async (deps: ProgressDeps, seen: ImportJob): Promise<Progress> => {
  const { imports, barrier } = deps;
  const job = await settleCancellation(deps, seen);
  // A job had ended, and showed everything, when its undo was accepted.
  if (job.undo) return progressOf(job, await readTotals(imports, job), true);
  // No batch is added once all rows of a file are in batches. Only jobs that accept batches or retries can grow.
  if (job.final && job.phase === 'split') return job.final.progress;
  const totals = await readTotals(imports, job);
  if (job.final?.batches === totals.batches) return job.final.progress;
  const visible =
    isProcessed(job, totals) && (job.dryRun ? hasResult(job, totals) : await isVisible(barrier, job, totals));
  const progress = progressOf(job, totals, visible);
  // A redrive of a parked batch can still change the progress. If the write loses to another reader, a later read stores it.
  if (visible && totals.parked === 0)
    await imports.updateJob(job, { final: { batches: totals.batches, progress } });
  return progress;
};

/** Whether the result of a dry run is there. A dry run writes nothing that could become visible. */
export const hasResult = ({ dryRunResult }: ImportJob, totals: Totals): boolean =>
  dryRunResult?.results === resultsOf(totals);

const CLOCK_SKEW_MS = limits.clockSkewSeconds * 1000;

/**
 * Whether the index contains all effects of the batches. Their writers opened the journal entries before they stored
 * the results. The barrier ignores entries that other writers opened later, so an import ends even under a steady
 * stream of writes.
 */
const isVisible = async (
  barrier: Barrier,
  { property }: ImportJob,
  { lastFinished }: Totals,
): Promise<boolean> => lastFinished === null || barrier.isSettled(property, lastFinished + CLOCK_SKEW_MS);

/**
 * Reads the totals of a job: one item for each 256 batches, so that a poll costs about the same for jobs of all sizes. Of a
 * cancelled job also the few batches that workers finish.
 */
export const readTotals = async (
  imports: Pick<ImportRepository, 'tallies' | 'batchesOf'>,
  job: ImportJob,
): Promise<Totals> => {
  const { property, id, phase, finishing } = job;
  const isCancelled = phase === 'cancelled' && finishing !== null;
  return totalsOf(job, {
    tallies: await imports.tallies(property, id),
    finishing: isCancelled ? await imports.batchesOf(property, id, finishing) : [],
  });
};
