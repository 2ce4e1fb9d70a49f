/** End job: cancels a job, or fails it, unless it has ended. */
import { limits } from '../../config/limits.ts';
import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems } from '../../http/problem.ts';
import type { Clock } from '../../runtime/clock.ts';
import { err, ok } from '../../runtime/result.ts';
import { acknowledgeJob, changeJob, type ChangeDeps } from '../model/change-job.ts';
import type { ExportFailure, ExportJob, JobRef, JobStatus } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedJob } from '../model/named-items.ts';
import { canMove, moved } from '../model/transitions.ts';

export interface EndDeps extends ChangeDeps {
  readonly clock: Clock;
}

/** Cancels a job unless it has ended. Returns the job as it is now; `undefined` when there is none. */
export const cancelJob = (deps: EndDeps, ref: JobRef): Promise<ExportJob | undefined> =>
  changeJob(deps, ref, (job) =>
    canMove(job, 'cancel') ? { ...moved('cancel'), finished: deps.clock() } : undefined,
  );

/** Errors that mean something to a client, by name; the service reports all others as `internal_error`. */
const reasons: Readonly<Record<string, ExportFailure>> = {
  'States.Timeout': { code: 'timed_out', detail: 'The export took longer than a step may.' },
  'Sandbox.Timedout': { code: 'timed_out', detail: 'The export took longer than a step may.' },
  SealBrokenError: { code: 'part_damaged', detail: 'A part of the export was damaged.' },
  ObjectChangedError: { code: 'part_damaged', detail: 'A part of the export was damaged.' },
  RowTooLargeError: {
    code: 'row_too_large',
    detail: `The row of a profile would be over ${limits.work.exportRow} characters.`,
  },
};
const internal: ExportFailure = { code: 'internal_error', detail: 'The export could not be produced.' };

/**
 * Fails a job with a reason, in any step; `error` is the name that the workflow gives the error. A job that has ended
 * keeps its state. Returns the state of the job. Throws when the job is missing.
 */
export const failExport = async (
  deps: EndDeps,
  ref: JobRef,
  error: string,
): Promise<{ readonly status: JobStatus }> => {
  const reason = Object.hasOwn(reasons, error) ? reasons[error] : undefined;
  const job = await changeJob(deps, ref, (open) =>
    canMove(open, 'fail')
      ? { ...moved('fail'), finished: deps.clock(), error: reason ?? internal }
      : undefined,
  );
  if (!job) throw new Error('exports: the job is missing');
  return { status: job.status };
};

/**
 * `POST exports/{export_id}/jobs/{job_id}/cancel`: the steps of the job find it cancelled and stop; the job gets no
 * file and no delivery. A repeated call changes nothing; 409 for a job that is complete or failed.
 */
export const cancelExportJob: UseCase<EndDeps & { readonly exports: ExportRepository }> = async (
  deps,
  request,
) => {
  const seen = await requestedJob(deps.exports, request);
  const job = seen && (await cancelJob(deps, seen.value));
  if (!job) return err(notFound('exportJob', request));
  if (job.status !== 'cancelled') return err(problems.conflict('job_ended', 'The job has ended already.'));
  return ok({ status: 200, body: await acknowledgeJob(deps, job) });
};
