/**
 * Run queue: decides which job of a definition holds the concurrency slot, which job waits, which run is coalesced, and
 * what the receiver of changes was told.
 */
import { hasAttemptsLeft } from '../../deliveries/delivery-state.ts';
import type { ExportDefinition, ExportDelivery, ExportJob, RunQueue } from '../model/items.ts';
import { isOpen } from '../model/transitions.ts';

/**
 * How far the changes of a job were told: `telling` while its calls go on, `told` once the receiver took all of them,
 * `untold` if they were given up and it may have taken some, `nothing` for a job that tells this receiver nothing.
 */
export type Telling = 'telling' | 'told' | 'untold' | 'nothing';

/**
 * The telling of a job at a time (epoch milliseconds). A job of an earlier receiver tells nothing, but an attempt under way
 * may still make calls until its lease ends: to the same address, if a client has sent an earlier one again.
 */
export const tellingOf = (
  { feed_revision }: Pick<RunQueue, 'feed_revision'>,
  { status, plan }: Pick<ExportJob, 'status' | 'plan'>,
  { delivery, now }: { readonly delivery: ExportDelivery | undefined; readonly now: number },
): Telling => {
  if (status !== 'complete' || !plan || !delivery) return 'nothing';
  const isUnderWay = delivery.state === 'sending' && (delivery.next_attempt ?? 0) > now;
  if (plan.revision < feed_revision) return isUnderWay ? 'telling' : 'nothing';
  if (hasAttemptsLeft(delivery)) return 'telling';
  return delivery.state === 'delivered' ? 'told' : 'untold';
};

/** A job as the queue sees it. Without `telling`, it tells nothing. */
export type QueuedJob = Pick<ExportJob, 'status'> & { readonly telling?: Telling };

/** Finds a job of the definition. A queued job without an item is about to be stored: it counts as open. */
export type FindJob = (job: number) => QueuedJob | undefined;

/** Whether a job holds its place: it is open, or its changes are being told. So no later change overtakes them. */
const isBusy = (findJob: FindJob, job: number | null): job is number => {
  const known = job === null ? undefined : findJob(job);
  return job !== null && (known === undefined || isOpen(known) || known.telling === 'telling');
};

/**
 * The queue without ended jobs. A complete holder of the slot becomes `complete_job`. It also becomes `told_job` if all of
 * its changes were told, or `untold_job` if they were given up.
 */
export const withoutEndedJobs = (queue: RunQueue, findJob: FindJob): RunQueue => {
  const { current_job, waiting_job } = queue;
  const isCurrent = isBusy(findJob, current_job);
  const settled = {
    ...queue,
    current_job: isCurrent ? current_job : null,
    waiting_job: isBusy(findJob, waiting_job) ? waiting_job : null,
  };
  const ended = current_job === null || isCurrent ? undefined : findJob(current_job);
  if (current_job === null || ended?.status !== 'complete') return settled;
  return { ...settled, complete_job: current_job, ...noteTelling(queue, current_job, ended.telling) };
};

/** What the receiver knows after a job. A job that was told stays told if its replay is given up. */
const noteTelling = (
  { told_job, untold_job }: RunQueue,
  job: number,
  telling: Telling | undefined,
): Pick<RunQueue, 'told_job' | 'untold_job'> => {
  if (telling === 'told' || told_job === job) return { told_job: job, untold_job: null };
  return { told_job, untold_job: telling === 'untold' ? job : untold_job };
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
  untold_job,
  feed_revision,
}: ExportDefinition): RunQueue => ({
  latest_job,
  current_job,
  waiting_job,
  complete_job,
  runs,
  current_run,
  told_job,
  untold_job,
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
  untold_job: null,
  feed_revision: revision,
});
