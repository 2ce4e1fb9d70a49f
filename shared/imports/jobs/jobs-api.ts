import { limits } from '../../config/limits.ts';
import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import type { StatusListQuery } from '../../http/list-schemas.ts';
import { filterPage, linkTo, type ListDeps, type Page, readPage } from '../../http/listing.ts';
import { requestCause } from '../../edge/request-cause.ts';
import { problems, type Problem } from '../../http/problem.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { keys } from '../../table/keys.ts';
import { jobView, jobSummaryView } from '../model/answers.ts';
import type { ImportDefinition } from '../model/definition.ts';
import type { ImportJob } from '../model/job.ts';
import { progressOf, tallyBatches } from './progress.ts';
import { type ProgressDeps, readProgress } from './read-progress.ts';
import type { ImportRepository } from '../model/repository.ts';
import type { JobBody } from '../model/schemas.ts';

type Answer = Promise<Result<ApiAnswer, Problem>>;
type Request<Query = unknown, Body = unknown> = ApiRequest<Query, Body>;

/** Jobs of one page whose batches are read at once. */
const READS_AT_ONCE = 8;

/** The definition that a path names. */
export const definitionOf = (
  imports: ImportRepository,
  { property, path }: Request,
): Promise<ImportDefinition | undefined> => imports.definition(property.id, Number(path['import_id']));

/** The job that a path names, when it is one of the path's definition. */
export const jobOf = async (
  imports: ImportRepository,
  { property, path }: Request,
): Promise<ImportJob | undefined> => {
  const job = await imports.job(property.id, Number(path['job_id']));
  return job && job.import === Number(path['import_id']) ? job : undefined;
};

/**
 * `POST jobs`: makes a job that takes batches. A repeated request under one `Idempotency-Key` is answered with the job that
 * the first has made.
 */
export const createImportJob = async (
  { imports }: { readonly imports: ImportRepository },
  request: Request<unknown, JobBody>,
): Answer => {
  const definition = await definitionOf(imports, request);
  if (!definition) return err(problems.notFound());
  const id = await imports.idOf(requestCause(request), 'import-job');
  const { name } = request.body;
  const about = { id, property: request.property.id, import: definition.id, name, created: request.now };
  await imports.addJob({ ...about, revision: definition.revision, phase: 'open', file: null });
  const job = await imports.job(request.property.id, id);
  if (!job) throw new Error('a job just made is not there');
  return ok({ status: 201, body: jobView(job, progressOf(job, tallyBatches(job, []), false)) });
};

/** `GET jobs/{job_id}`. */
export const getImportJob = async (deps: ProgressDeps, request: Request): Answer => {
  const job = await jobOf(deps.imports, request);
  if (!job) return err(problems.notFound());
  return ok({ status: 200, body: jobView(job, await readProgress(deps, job)) });
};

/** `GET jobs`: the jobs of a definition, newest first unless asked otherwise; all, or those of a status. */
export const listImportJobs = async (
  deps: ProgressDeps & ListDeps,
  request: Request<StatusListQuery>,
): Answer => {
  const definition = await definitionOf(deps.imports, request);
  if (!definition) return err(problems.notFound());
  const { property, query } = request;
  const asked = { property: property.id, list: `/v1/${property.id}/imports/${definition.id}/jobs`, query };
  const page = await readPage(deps, asked, 'newest');
  if (!page.ok) return page;
  const { items, next } = await filterPage(
    page.value,
    async (wanted: Page) => {
      const found = await deps.imports.jobs(property.id, definition.id, wanted);
      const read = async (job: ImportJob) => ({ job, progress: await readProgress(deps, job) });
      return { ...found, items: await mapLimited(found.items, READS_AT_ONCE, read) };
    },
    {
      keep: query.status === undefined ? undefined : ({ progress }) => progress.status === query.status,
      // The status of a job that has not ended is read from all of its batches.
      mostItems: limits.imports.jobsPerPage,
      positionOf: ({ job }) => keys.importJob(property.id, definition.id, job.id).sk,
    },
  );
  const jobs = items.map(({ job, progress }) => jobSummaryView(job, progress, deps.baseUrl));
  return ok({ status: 200, body: { jobs, paging: { next_page: await linkTo(deps, { ...asked, next }) } } });
};
