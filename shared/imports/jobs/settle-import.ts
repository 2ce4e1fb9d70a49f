import { secondsToNextPoll } from '../../runtime/poll-interval.ts';
import type { Clock } from '../../runtime/clock.ts';
import { hasEnded } from '../items/job-status.ts';
import type { JobReference } from '../items/job-messages.ts';
import { type ProgressDeps, readProgress } from './read-progress.ts';

export interface SettleDeps extends ProgressDeps {
  readonly clock: Clock;
  /** Measures the sizes of segments of a property, where it can afford that now; never fails. */
  readonly measure: (property: number) => Promise<void>;
}

/** Whether a step of a workflow is over; if not, the seconds to wait before the next call. */
export interface SettleAnswer {
  readonly done: boolean;
  readonly wait_seconds: number;
}

/**
 * Last step of a file: tells whether the effects of all batches are visible, and stores the final progress. After
 * that the list of segments by size counts them, too. A job whose property was deleted has ended.
 */
export const settleImport = async (deps: SettleDeps, reference: JobReference): Promise<SettleAnswer> => {
  const job = await deps.imports.job(reference.property, reference.job);
  if (!job) return { done: true, wait_seconds: 0 };
  const { status } = await readProgress(deps, job);
  if (hasEnded(status)) {
    if (!job.dryRun) await deps.measure(reference.property);
    return { done: true, wait_seconds: 0 };
  }
  return { done: false, wait_seconds: secondsToNextPoll(deps.clock() - (job.started ?? job.created)) };
};
