import { secondsToNextPoll } from '../../runtime/poll-interval.ts';
import type { JobReference } from '../model/job-messages.ts';
import { type ProgressDeps, readProgress } from './read-progress.ts';

export interface SettleDeps extends ProgressDeps {
  readonly clock: () => number;
}

/** Whether the job is at its end, and if not, how long to wait before the next look. */
export interface SettleAnswer {
  readonly done: boolean;
  readonly wait_seconds: number;
}

/** Last step of a file: says whether all its batches are stored and visible, and keeps the end. */
export const settleImport = async (deps: SettleDeps, reference: JobReference): Promise<SettleAnswer> => {
  const job = await deps.imports.job(reference.property, reference.job);
  if (!job) throw new Error('import: the job is not there');
  const { status } = await readProgress(deps, job);
  if (ends.has(status)) return { done: true, wait_seconds: 0 };
  return { done: false, wait_seconds: secondsToNextPoll(deps.clock() - (job.started ?? job.created)) };
};

const ends: ReadonlySet<string> = new Set(['complete', 'complete-with-errors', 'failed', 'cancelled']);
