import type { UseCase } from '../../http/api-types.ts';
import type { StatusListQuery } from '../../http/list-schemas.ts';
import { answerList, type ListDeps } from '../../http/listing.ts';
import { notFound } from '../../http/not-found.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { err } from '../../runtime/result.ts';
import { keys } from '../../table/keys.ts';
import { definitionInPath } from '../repository/find-in-path.ts';
import type { ImportJob } from '../items/import-job.ts';
import { jobSummaryView } from '../schemas/views.ts';
import { type ProgressDeps, readProgress } from './read-progress.ts';

/**
 * Jobs that one request reads at most. The status of a running job is counted from all of its batches, so each job
 * costs a query.
 */
const JOBS_PER_REQUEST = 100;

/** Number of jobs of a page whose batches are read at once. */
const READS_AT_ONCE = 8;

/**
 * `GET jobs`: returns one page of the jobs of a definition, newest first by default. The query can restrict the list to
 * one status.
 */
export const listImportJobs: UseCase<ProgressDeps & ListDeps, StatusListQuery> = async (deps, request) => {
  const definition = await definitionInPath(deps.imports, request);
  if (!definition) return err(notFound('import', request));
  const { property, query } = request;
  return answerList(deps, request, 'jobs', {
    path: `/v1/${property.id}/imports/${definition.id}/jobs`,
    order: 'newest',
    read: async (page) => {
      const jobs = await deps.imports.jobs(property.id, definition.id, page);
      const read = async (job: ImportJob) => ({ job, progress: await readProgress(deps, job) });
      return { ...jobs, items: await mapLimited(jobs.items, READS_AT_ONCE, read) };
    },
    keep: query.status === undefined ? undefined : ({ progress }) => progress.status === query.status,
    mostItems: JOBS_PER_REQUEST,
    positionOf: ({ job }) => keys.importJob(property.id, definition.id, job.id).sk,
    views: (jobs) => jobs.map(({ job, progress }) => jobSummaryView(job, progress, deps.baseUrl)),
  });
};
