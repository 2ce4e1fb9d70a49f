import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { jobInPath } from '../model/find-in-path.ts';
import { jobView } from '../model/views.ts';
import { type ProgressDeps, readProgress } from './read-progress.ts';

/** `GET jobs/{job_id}`: returns a job with its progress. */
export const getImportJob = async (
  deps: ProgressDeps,
  request: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const job = await jobInPath(deps.imports, request);
  if (!job) return err(problems.notFound());
  return ok({ status: 200, body: jobView(job, await readProgress(deps, job)) });
};
