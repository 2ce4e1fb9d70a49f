import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import type { Problem } from '../../http/problem.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { requestedJob } from '../model/requested-items.ts';
import { readJobView, type ReadDeps } from './export-views.ts';

/** `GET exports/{export_id}/jobs/{job_id}`. */
export const getExportJob = async (
  deps: ReadDeps,
  request: ApiRequest<unknown, unknown>,
): Promise<Result<ApiAnswer, Problem>> => {
  const job = await requestedJob(deps.exports, request);
  if (!job) return err(notFound('exportJob', request));
  const [deliveries = []] = await deps.exports.deliveries([job.value]);
  return ok({ status: 200, body: await readJobView(deps, job.value, deliveries, request.now) });
};
