import { isOpen, type ExportDefinition, type ExportJob, type RunQueue } from '../model/items.ts';

/** Reads a job of the definition. One that is named but not there yet is still to be stored: it is open. */
export type FindJob = (job: number) => Pick<ExportJob, 'status'> | undefined;

const isBusy = (jobOf: FindJob, job: number | null): job is number => {
  const known = job === null ? undefined : jobOf(job);
  return job !== null && (known === undefined || isOpen(known));
};

/** The lane without jobs that have ended; a current one that is complete is remembered as such. */
export const withoutEndedJobs = (lane: RunQueue, jobOf: FindJob): RunQueue => {
  const { current_job, waiting_job, latest_job } = lane;
  const completed = current_job !== null && jobOf(current_job)?.status === 'complete';
  return {
    latest_job,
    current_job: isBusy(jobOf, current_job) ? current_job : null,
    waiting_job: isBusy(jobOf, waiting_job) ? waiting_job : null,
    complete_job: completed ? current_job : lane.complete_job,
  };
};

/** What becomes of a new run: it is the current one, waits for that, or is served by the one that waits. */
export type Admission =
  | { readonly kind: 'enqueued'; readonly lane: RunQueue }
  | { readonly kind: 'coalesced'; readonly job: number };

/** Lets a new job into a settled lane. */
export const enqueue = (lane: RunQueue, job: number): Admission => {
  if (lane.waiting_job !== null) return { kind: 'coalesced', job: lane.waiting_job };
  if (lane.current_job === null)
    return { kind: 'enqueued', lane: { ...lane, latest_job: job, current_job: job } };
  return { kind: 'enqueued', lane: { ...lane, latest_job: job, waiting_job: job } };
};

/** Whether a lane holds a job. */
export const isQueued = ({ current_job, waiting_job }: RunQueue, job: number): boolean =>
  current_job === job || waiting_job === job;

/** The lane in which a job that waited in a settled one runs; `undefined` while another job does. */
export const acquireSlot = (lane: RunQueue, job: number): RunQueue | undefined => {
  if (lane.current_job !== null) return lane.current_job === job ? lane : undefined;
  return lane.waiting_job === job ? { ...lane, current_job: job, waiting_job: null } : undefined;
};

/** The lane of a definition. */
export const runQueueOf = ({
  latest_job,
  current_job,
  waiting_job,
  complete_job,
}: ExportDefinition): RunQueue => ({
  latest_job,
  current_job,
  waiting_job,
  complete_job,
});
