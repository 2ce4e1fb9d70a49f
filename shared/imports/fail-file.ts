import { changeJob } from './change-job.ts';
import type { FileFailure } from './job.ts';
import type { ImportRepository } from './repository.ts';
import { canMove, moved } from './transitions.ts';

export interface FailDeps {
  readonly imports: ImportRepository;
  readonly clock: () => number;
}

/** A failure of a whole file; what is not named is unknown. */
export const fileFailure = (
  code: string,
  message: string,
  where: Partial<Pick<FileFailure, 'field' | 'row' | 'line'>> = {},
): FileFailure => ({ code, message, field: null, row: null, line: null, ...where });

/** Marks a file's job as failed. The first reason stays; a finished job stays finished. */
export const failFile = async (
  { imports, clock }: FailDeps,
  job: { readonly property: number; readonly job: number },
  failure: FileFailure,
): Promise<void> => {
  await changeJob(imports, job, (seen) =>
    canMove(seen, 'fail') && !seen.final ? { ...moved('fail'), failure, ended: clock() } : undefined,
  );
};
