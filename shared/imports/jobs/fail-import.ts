import { changeJob, type ChangeDeps } from '../model/change-job.ts';
import type { FileFailure } from '../model/import-job.ts';
import type { JobReference } from '../model/job-messages.ts';
import { canMove, moved } from '../model/transitions.ts';

export interface FailDeps extends ChangeDeps {
  readonly clock: () => number;
}

/** A failure of a whole file; what is not named is unknown. */
export const fileFailure = (
  code: string,
  message: string,
  where: Partial<Pick<FileFailure, 'field' | 'row' | 'line'>> = {},
): FileFailure => ({ code, message, field: null, row: null, line: null, ...where });

/** What is told when a step fails for good: the workflow's own error stays in its log, since it is ours, not the client's. */
export const internalFailure = fileFailure(
  'internal_error',
  'The import failed for a reason on our side; upload the file again.',
);

type JobOfFile = Pick<JobReference, 'property' | 'job'>;

/**
 * Marks a file's job as failed, unless all of its rows are in batches already: those land, whatever becomes of the workflow.
 * The first reason stays.
 */
export const failFile = async (deps: FailDeps, job: JobOfFile, failure: FileFailure): Promise<void> => {
  await changeJob(deps, job, (seen) =>
    canMove(seen, 'fail') ? { ...moved('fail'), failure, ended: deps.clock() } : undefined,
  );
};

/** Marks a job as failed whose workers cannot read its file any more. The first reason stays; a finished job stays finished. */
export const loseFile = async (deps: FailDeps, job: JobOfFile, failure: FileFailure): Promise<void> => {
  await changeJob(deps, job, (seen) => {
    if (seen.final) return undefined;
    const [transition] = (['fail', 'lose'] as const).filter((name) => canMove(seen, name));
    return transition && { ...moved(transition), failure, ended: deps.clock() };
  });
};
