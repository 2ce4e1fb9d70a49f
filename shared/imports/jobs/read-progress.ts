import { limits } from '../../config/limits.ts';
import type { ChangeDeps } from '../model/change-job.ts';
import { settleCancellation } from './cancellation.ts';
import type { ImportJob, Progress } from '../model/import-job.ts';
import { isProcessed, progressOf, type Tally, tallyBatches } from './job-progress.ts';
import type { ImportRepository } from '../model/repository.ts';

/** What tells whether all that was announced by a time (epoch milliseconds) is in every index. */
export interface Barrier {
  isSettled(property: number, announcedBy: number): Promise<boolean>;
}

export interface ProgressDeps extends ChangeDeps {
  readonly barrier: Barrier;
}

/**
 * How far a job is: derived from its batches and the barrier, never counted up. A job seen finished is kept as such, by
 * the number of its batches, so that later writes of others cannot make it look unfinished; a new batch reopens it.
 */
export const readProgress = async (deps: ProgressDeps, seen: ImportJob): Promise<Progress> => {
  const { imports, barrier } = deps;
  const job = await settleCancellation(deps, seen);
  // A file's batches are complete once it is cut; only jobs that take batches can grow.
  if (job.final && job.phase === 'split') return job.final.progress;
  const tally = tallyBatches(job, await imports.batches(job.property, job.id));
  if (job.final?.batches === tally.batches) return job.final.progress;
  const visible = isProcessed(job, tally) && (await isVisible(barrier, job, tally));
  const progress = progressOf(job, tally, visible);
  // What a redrive may still change is no end. Losing to another reader costs nothing but a later look.
  if (visible && tally.parked === 0)
    await imports.updateJob(job, { final: { batches: tally.batches, progress } });
  return progress;
};

const CLOCK_SKEW_MS = limits.clockSkewSeconds * 1000;

/**
 * Whether all that the batches stored or saw is indexed. It was announced before their results were written; what others
 * announce later is not waited for, so that a property written to without pause sees its imports end too.
 */
const isVisible = async (
  barrier: Barrier,
  { property }: ImportJob,
  { lastFinished }: Tally,
): Promise<boolean> => lastFinished === null || barrier.isSettled(property, lastFinished + CLOCK_SKEW_MS);

/** How far a job is as its batches alone tell, without asking what is visible. */
export const countProgress = async (imports: ImportRepository, job: ImportJob): Promise<Progress> =>
  progressOf(job, tallyBatches(job, await imports.batches(job.property, job.id)), false);
