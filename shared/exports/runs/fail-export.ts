import { limits } from '../../config/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import { changeJob, type ChangeDeps } from '../model/change-job.ts';
import type { ExportFailure, JobRef, JobStatus } from '../model/items.ts';
import { canMove, moved } from '../model/transitions.ts';

export interface FailDeps extends ChangeDeps {
  readonly clock: Clock;
}

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
  deps: FailDeps,
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
