/**
 * Run queue: decides which job of a definition holds the concurrency slot, which job waits, and which run is coalesced.
 */
import type { ExportDefinition, ExportJob, RunQueue } from '../model/items.ts';
import { isOpen } from '../model/transitions.ts';

/** Finds a job of the definition. A queued job without an item is about to be stored: it counts as open. */
export type FindJob = (job: number) => Pick<ExportJob, 'status'> | undefined;

const isBusy = (findJob: FindJob, job: number | null): job is number => {
  const known = job === null ? undefined : findJob(job);
  return job !== null && (known === undefined || isOpen(known));
};

/** The queue without ended jobs. A complete holder of the slot becomes `complete_job`. */
export const withoutEndedJobs = (queue: RunQueue, findJob: FindJob): RunQueue => {
  const { current_job, waiting_job, latest_job } = queue;
  const completed = current_job !== null && findJob(current_job)?.status === 'complete';
  return {
    ...queue,
    latest_job,
    current_job: isBusy(findJob, current_job) ? current_job : null,
    waiting_job: isBusy(findJob, waiting_job) ? waiting_job : null,
    complete_job: completed ? current_job : queue.complete_job,
  };
};

/** The admission of a new run: it enters the queue, or it is coalesced with the job that already waits. */
export type Admission =
  | { readonly kind: 'enqueued'; readonly queue: RunQueue }
  | { readonly kind: 'coalesced'; readonly job: number };

/** Admits a new job to a queue without ended jobs. */
export const enqueue = (queue: RunQueue, job: number): Admission => {
  if (queue.waiting_job !== null) return { kind: 'coalesced', job: queue.waiting_job };
  const runs = queue.runs + 1;
  const next = { ...queue, latest_job: job, runs };
  if (queue.current_job === null)
    return { kind: 'enqueued', queue: { ...next, current_job: job, current_run: runs } };
  return { kind: 'enqueued', queue: { ...next, waiting_job: job } };
};

/** Whether a job holds the slot or waits for it. */
export const isQueued = ({ current_job, waiting_job }: RunQueue, job: number): boolean =>
  current_job === job || waiting_job === job;

/** The queue after the job has acquired the slot; `undefined` while another job holds it. */
export const acquireSlot = (queue: RunQueue, job: number): RunQueue | undefined => {
  if (queue.current_job !== null) return queue.current_job === job ? queue : undefined;
  return queue.waiting_job === job
    ? { ...queue, current_job: job, current_run: queue.runs, waiting_job: null }
    : undefined;
};

/** The run queue of a definition. */
export const runQueueOf = ({
  latest_job,
  current_job,
  waiting_job,
  complete_job,
  runs,
  current_run,
  told_job,
  untold_jobs,
  feed_revision,
}: ExportDefinition): RunQueue => ({
  latest_job,
  current_job,
  waiting_job,
  complete_job,
  runs,
  current_run,
  told_job,
  untold_jobs,
  feed_revision,
});

/** A queue before its first run. `revision` is that of the definition. */
export const newQueue = (revision: number): RunQueue => ({
  latest_job: null,
  current_job: null,
  waiting_job: null,
  complete_job: null,
  runs: 0,
  current_run: null,
  told_job: null,
  untold_jobs: [],
  feed_revision: revision,
});
