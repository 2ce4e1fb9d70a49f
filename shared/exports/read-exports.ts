import type { ApiAnswer, ApiRequest } from '../http/api-types.ts';
import type { Problem } from '../http/problem.ts';
import { problems } from '../http/problem.ts';
import type { ListQuery } from '../http/list-schemas.ts';
import { linkTo, readPage, type ListDeps } from '../http/listing.ts';
import type { Result } from '../runtime/result.ts';
import { err, ok } from '../runtime/result.ts';
import { belongsTo } from '../table/scoped-ids.ts';
import type { ExportDelivery, ExportJob, JobRef } from './items.ts';
import { locationOf } from './location.ts';
import type { ExportRepository } from './repository.ts';
import { definitionView, jobView } from './views.ts';

/** What reading exports needs. */
export interface ReadDeps extends ListDeps {
  readonly exports: ExportRepository;
}

type Answer = Promise<Result<ApiAnswer, Problem>>;
type Request<Query> = ApiRequest<Query, unknown>;

/** `GET exports/{export_id}`: the definition, the status of its latest job and the location of the file. */
export const getExport = async (deps: ReadDeps, { property, path, now }: Request<unknown>): Answer => {
  const id = Number(path['export_id']);
  const definition = belongsTo(property.id, id) ? await deps.exports.definition(property.id, id) : undefined;
  if (!definition) return err(problems.notFound());
  const job = await deps.exports.job({ property: property.id, export: id, job: definition.latest_job });
  const location = await locate(deps, job?.value, now);
  return ok({
    status: 200,
    body: definitionView(definition, { status: job?.value.status ?? 'pending', location }),
  });
};

/** `GET exports`: all definitions, oldest first. */
export const listExports = async (deps: ReadDeps, { property, query, now }: Request<ListQuery>): Answer => {
  const asked = { property: property.id, list: `/v1/${property.id}/exports`, query };
  const page = await readPage(deps, asked);
  if (!page.ok) return page;
  const { items, next } = await deps.exports.definitions(property.id, page.value);
  const jobs = await deps.exports.jobsOf(items.map((item) => ({ ...item, job: item.latest_job })));
  const exports = await Promise.all(
    items.map(async (definition, index) => {
      const job = jobs[index];
      const location = await locate(deps, job, now);
      return definitionView(definition, { status: job?.status ?? 'pending', location });
    }),
  );
  const next_page = await linkTo(deps, { ...asked, next });
  return ok({ status: 200, body: { exports, paging: { next_page } } });
};

/** `GET exports/{export_id}/jobs`: newest first. */
export const listExportJobs = async (
  deps: ReadDeps,
  { property, path, query, now }: Request<ListQuery>,
): Answer => {
  const id = Number(path['export_id']);
  const known = belongsTo(property.id, id) && (await deps.exports.definition(property.id, id));
  if (!known) return err(problems.notFound());
  const asked = { property: property.id, list: `/v1/${property.id}/exports/${id}/jobs`, query };
  const page = await readPage(deps, asked);
  if (!page.ok) return page;
  const { items, next } = await deps.exports.jobs(property.id, id, page.value);
  const deliveries = await deps.exports.deliveries(items);
  const jobs = await Promise.all(items.map((job, index) => show(deps, job, deliveries[index], now)));
  const next_page = await linkTo(deps, { ...asked, next });
  return ok({ status: 200, body: { jobs, paging: { next_page } } });
};

/** `GET exports/{export_id}/jobs/{job_id}`. */
export const getExportJob = async (deps: ReadDeps, { property, path, now }: Request<unknown>): Answer => {
  const ref: JobRef = {
    property: property.id,
    export: Number(path['export_id']),
    job: Number(path['job_id']),
  };
  const own = belongsTo(property.id, ref.export) && belongsTo(property.id, ref.job);
  const job = own ? await deps.exports.job(ref) : undefined;
  if (!job) return err(problems.notFound());
  const delivery = await deps.exports.delivery(ref);
  return ok({ status: 200, body: await show(deps, job.value, delivery?.value, now) });
};

const show = async (
  deps: ReadDeps,
  job: ExportJob,
  delivery: ExportDelivery | undefined,
  now: number,
): Promise<ReturnType<typeof jobView>> => {
  const partsDone = job.status === 'running' ? (await deps.exports.parts(job)).length : 0;
  return jobView(job, { delivery, partsDone, location: await locate(deps, job, now) });
};

/** The location of a job's file while it opens. Keys are only read when there is one. */
const locate = async (
  { scopeOf, baseUrl }: ReadDeps,
  job: ExportJob | undefined,
  now: number,
): Promise<string | null> => {
  if (!job?.file || job.file.expires <= now) return null;
  const { keys } = await scopeOf(job.property);
  return locationOf({ baseUrl, key: keys.downloads, now }, job, job.file);
};
