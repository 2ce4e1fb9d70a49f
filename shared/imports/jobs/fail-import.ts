import type { ImportFailureCode } from '../../http/row-codes.ts';
import type { Clock } from '../../runtime/clock.ts';
import { changeJob, type ChangeDeps } from '../repository/change-job.ts';
import type { FileFailure } from '../items/import-job.ts';
import type { JobReference } from '../items/job-messages.ts';
import { canMove, moved } from '../items/transitions.ts';

export interface FailDeps extends ChangeDeps {
  readonly clock: Clock;
}

/** A failure of a whole file. Places that `where` omits are unknown. */
export const fileFailure = <Code extends ImportFailureCode>(
  code: Code,
  message: string,
  where: Partial<Pick<FileFailure, 'field' | 'row' | 'line'>> = {},
): FileFailure & { readonly code: Code } => ({ code, message, field: null, row: null, line: null, ...where });

/**
 * The failure that the client sees when a step fails for good. The error of the workflow stays in the logs, because it
 * is ours.
 */
export const internalFailure = fileFailure(
  'internal_error',
  'The import failed for a reason on our side. Upload the file again.',
);

type JobOfFile = Pick<JobReference, 'property' | 'job'>;

/**
 * Marks the job of a file as failed, unless all rows are in batches: workers import those without the workflow. The first
 * failure stays.
 */
export const failFile = async (deps: FailDeps, job: JobOfFile, failure: FileFailure): Promise<void> => {
  await changeJob(deps, job, (seen) =>
    canMove(seen, 'fail') ? { ...moved('fail'), failure, ended: deps.clock() } : undefined,
  );
};

/** Marks a job as failed because its workers can no longer read its file. The first failure and a final progress stay, and an undone job
 * has ended.
 */
export const loseFile = async (deps: FailDeps, job: JobOfFile, failure: FileFailure): Promise<void> => {
  await changeJob(deps, job, (seen) => {
    if (seen.final ?? seen.undo) return undefined;
    const [transition] = (['fail', 'lose'] as const).filter((name) => canMove(seen, name));
    return transition && { ...moved(transition), failure, ended: deps.clock() };
  });
};
