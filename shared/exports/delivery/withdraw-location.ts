import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { problems } from '../../http/problem.ts';
import type { Clock } from '../../runtime/clock.ts';
import { err, ok } from '../../runtime/result.ts';
import { acknowledgeJob, changeJob, type ChangeDeps } from '../model/change-job.ts';
import type { ExportJob, JobRef } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedJob } from '../model/named-items.ts';

interface WithdrawDeps extends ChangeDeps {
  readonly exports: ExportRepository;
  readonly clock: Clock;
}

/**
 * `DELETE exports/{export_id}/jobs/{job_id}/location`: from now on no location of the job's file or manifest opens, no
 * matter who received it. A repeated call changes nothing; 409 for a job without a file.
 */
export const withdrawLocation: UseCase<WithdrawDeps> = async (deps, request) => {
  const seen = await requestedJob(deps.exports, request);
  const job = seen && (await closeLocation(deps, seen.value));
  if (!job) return err(notFound('exportJob', request));
  if (!job.file) return err(problems.conflict('no_location', 'The job has no file; cancel it to get none.'));
  return ok({ status: 200, body: await acknowledgeJob(deps, job) });
};

/** Closes the locations of a job's file and manifest. Returns the job as it is now; `undefined` when there is none. */
export const closeLocation = (
  deps: ChangeDeps & { readonly clock: Clock },
  ref: JobRef,
): Promise<ExportJob | undefined> =>
  changeJob(deps, ref, ({ file }) => {
    const now = deps.clock();
    return file && file.expires > now ? { file: { ...file, expires: now } } : undefined;
  });
