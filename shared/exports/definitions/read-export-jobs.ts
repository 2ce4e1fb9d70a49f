import type { UseCase } from '../../http/api-types.ts';
import type { StatusListQuery } from '../../http/list-schemas.ts';
import { answerList } from '../../http/listing.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import { keys } from '../../table/keys.ts';
import { requestedDefinition, requestedJob } from '../model/requested-items.ts';
import { readJobView, type ReadDeps } from './export-views.ts';

/** `GET exports/{export_id}/jobs/{job_id}`. */
export const getExportJob: UseCase<ReadDeps> = async (deps, request) => {
  const job = await requestedJob(deps.exports, request);
  if (!job) return err(notFound('exportJob', request));
  const [deliveries = []] = await deps.exports.deliveries([job.value]);
  return ok({ status: 200, body: await readJobView(deps, job.value, deliveries, request.now) });
};

/** `GET exports/{export_id}/jobs`: the newest first unless the query says otherwise, with an optional status filter. */
export const listExportJobs: UseCase<ReadDeps, StatusListQuery> = async (deps, request) => {
  const { property, query, now } = request;
  const seen = await requestedDefinition(deps.exports, request);
  if (!seen) return err(notFound('export', request));
  const { export: id } = seen.value;
  return answerList(deps, request, 'jobs', {
    path: `/v1/${property.id}/exports/${id}/jobs`,
    order: 'newest',
    read: (page) => deps.exports.jobs(property.id, id, page),
    keep: query.status === undefined ? undefined : ({ status }) => status === query.status,
    positionOf: ({ job }) => keys.exportJob(property.id, id, job).sk,
    views: async (jobs) => {
      const deliveries = await deps.exports.deliveries(jobs);
      return Promise.all(jobs.map((job, index) => readJobView(deps, job, deliveries[index] ?? [], now)));
    },
  });
};
