import type { UseCase } from '../../http/api-types.ts';
import { notFound } from '../../http/not-found.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok } from '../../runtime/result.ts';
import { readDryRunResult } from '../schemas/dry-run-result.ts';
import { jobInPath, definitionInPath } from '../repository/find-in-path.ts';
import { jobDetailView, jobSummaryView, namedJobView } from '../schemas/views.ts';
import { hasEnded } from '../items/job-status.ts';
import { type ProgressDeps, readProgress } from './read-progress.ts';
import type { StatusListQuery } from '../../http/list-schemas.ts';
import { answerList, type ListDeps } from '../../http/listing.ts';
import type { Listed } from '../../runtime/pages.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { keys } from '../../table/keys.ts';
import type { ImportJob, Progress } from '../items/import-job.ts';

/**
 * `GET jobs/{job_id}`: returns a job with its progress and the reasons of its refused rows. A token without `people.read`
 * gets no text that quotes the file.
 */
export const getImportJob: UseCase<ProgressDeps & { readonly work: Pick<ObjectStore, 'get'> }> = async (
  deps,
  request,
) => {
  const job = await jobInPath(deps.imports, request);
  if (!job) return err(notFound('importJob', request));
  const reasons = () => deps.imports.reasonSums(job.property, job.id);
  const [progress, seenSums] = await Promise.all([readProgress(deps, job), reasons()]);
  // The reasons of a result are counted before it. So they are whole beside a job that had ended when it was read, and are
  // read again after the progress that tells of its end.
  const isNewEnd = hasEnded(progress.status) && progress !== job.final?.progress;
  const sums = isNewEnd ? await reasons() : seenSums;
  const showsPeople = request.permissions.includes('people.read');
  // The result of a dry run of one record tells what is known about a person.
  const seen = job.dryRun && showsPeople ? await deps.imports.job(job.property, job.id) : undefined;
  const dryRun = seen ? await readDryRunResult(deps.work, seen) : null;
  return ok({ status: 200, body: jobDetailView(job, progress, { sums, dryRun, showsPeople }) });
};

/**
 * Jobs that one request reads at most. The status of a running job is counted from all of its batches, so each job
 * costs a query.
 */
const JOBS_PER_REQUEST = 100;

/** Number of jobs of a page whose batches are read at once. */
const READS_AT_ONCE = 8;

interface JobWithProgress {
  readonly job: ImportJob;
  readonly progress: Progress;
}

/** The jobs of a list with their progress. */
const withProgress = async (
  deps: ProgressDeps,
  jobs: Listed<ImportJob>,
): Promise<Listed<JobWithProgress>> => {
  const read = async (job: ImportJob) => ({ job, progress: await readProgress(deps, job) });
  return { ...jobs, items: await mapLimited(jobs.items, READS_AT_ONCE, read) };
};

/** What both lists of jobs have in common: their order, and a filter by status. */
const byStatus = ({ status }: StatusListQuery) =>
  ({
    order: 'newest',
    keep: status === undefined ? undefined : ({ progress }: JobWithProgress) => progress.status === status,
    mostItems: JOBS_PER_REQUEST,
  }) as const;

/**
 * `GET jobs`: returns one page of the jobs of a definition, newest first by default. The query can restrict the list to
 * one status.
 */
export const listImportJobs: UseCase<ProgressDeps & ListDeps, StatusListQuery> = async (deps, request) => {
  const definition = await definitionInPath(deps.imports, request);
  if (!definition) return err(notFound('import', request));
  const { property, query } = request;
  return answerList(deps, request, 'jobs', {
    ...byStatus(query),
    path: `/v1/${property.id}/imports/${definition.id}/jobs`,
    read: async (page) => withProgress(deps, await deps.imports.jobs(property.id, definition.id, page)),
    positionOf: ({ job }) => keys.importJob(property.id, definition.id, job.id).sk,
    views: (jobs) => jobs.map(({ job, progress }) => jobSummaryView(job, progress, deps.baseUrl)),
  });
};

/**
 * `GET import-jobs`: returns one page of the jobs of all definitions of a property, also of deleted ones, newest first by
 * default. A page has at most 100 jobs. The query can restrict the list to one status.
 */
export const listAllImportJobs: UseCase<ProgressDeps & ListDeps, StatusListQuery> = (deps, request) => {
  const { imports, baseUrl } = deps;
  const { property, query } = request;
  return answerList(deps, request, 'jobs', {
    ...byStatus(query),
    path: `/v1/${property.id}/import-jobs`,
    read: async (page) => {
      const limit = Math.min(page.limit, JOBS_PER_REQUEST);
      return withProgress(deps, await imports.jobsById(property.id, { ...page, limit }));
    },
    positionOf: ({ job }) => String(job.id),
    views: async (jobs) => {
      const names = await imports.definitionNames(
        property.id,
        jobs.map(({ job }) => job),
      );
      return jobs.flatMap(({ job, progress }, index) => {
        const name = names[index];
        return name === undefined ? [] : [namedJobView(job, progress, { baseUrl, name })];
      });
    },
  });
};
