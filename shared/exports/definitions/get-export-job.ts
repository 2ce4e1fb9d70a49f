import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import { requestedJob } from '../model/requested-items.ts';
import { readJobView, type ReadDeps } from './export-views.ts';

/** `GET exports/{export_id}/jobs/{job_id}`. */
export const getExportJob: UseCase<ReadDeps> = async (deps, request) => {
  const job = await requestedJob(deps.exports, request);
  if (!job) return err(notFound('exportJob', request));
  const [deliveries = []] = await deps.exports.deliveries([job.value]);
  return ok({ status: 200, body: await readJobView(deps, job.value, deliveries, request.now) });
};
