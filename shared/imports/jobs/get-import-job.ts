import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok } from '../../runtime/result.ts';
import { readDryRunResult } from '../schemas/dry-run-result.ts';
import { jobInPath } from '../repository/find-in-path.ts';
import { jobDetailView } from '../schemas/views.ts';
import { type ProgressDeps, readProgress } from './read-progress.ts';

/** `GET jobs/{job_id}`: returns a job with its progress and the reasons of its refused rows. */
export const getImportJob: UseCase<ProgressDeps & { readonly work: Pick<ObjectStore, 'get'> }> = async (
  deps,
  request,
) => {
  const job = await jobInPath(deps.imports, request);
  if (!job) return err(notFound('importJob', request));
  const progress = await readProgress(deps, job);
  // After the progress: once a job has ended, the reasons of all its rows are counted.
  const sums = await deps.imports.reasonSums(job.property, job.id);
  const seen = job.dryRun ? await deps.imports.job(job.property, job.id) : undefined;
  const dryRun = seen ? await readDryRunResult(deps.work, seen) : null;
  return ok({ status: 200, body: jobDetailView(job, progress, { sums, dryRun }) });
};
