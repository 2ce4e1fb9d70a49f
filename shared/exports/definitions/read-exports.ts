import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import type { Problem } from '../../http/problem.ts';
import { problems } from '../../http/problem.ts';
import { fittingCount } from '../../http/fitting.ts';
import type { StatusListQuery } from '../../http/list-schemas.ts';
import { filterPage, linkTo, readPage, type ListDeps, type Page } from '../../http/listing.ts';
import type { Result } from '../../runtime/result.ts';
import { err, ok } from '../../runtime/result.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import { keys } from '../../table/keys.ts';
import type { ExportDefinition, ExportDelivery, ExportJob, ExportStatus, JobRef } from '../model/items.ts';
import { locationOf } from '../model/location.ts';
import type { ExportRepository } from '../model/repository.ts';
import { definitionView, jobView, type JobView } from '../model/views.ts';
import { manifestName } from '../model/work-keys.ts';

/** What reading exports needs. */
export interface ReadDeps extends ListDeps {
  readonly exports: ExportRepository;
}

type Answer = Promise<Result<ApiAnswer, Problem>>;
type Request<Query> = ApiRequest<Query, unknown>;

/** `GET exports/{export_id}`: the definition, the status of its latest job and the location of the latest file. */
export const getExport = async (deps: ReadDeps, { property, path, now }: Request<unknown>): Answer => {
  const id = Number(path['export_id']);
  const seen = belongsTo(property.id, id) ? await deps.exports.definition(property.id, id) : undefined;
  return seen ? ok({ status: 200, body: await readExport(deps, seen.value, now) }) : err(problems.notFound());
};

/** A definition with what its jobs say. */
export const readExport = async (
  deps: ReadDeps,
  definition: ExportDefinition,
  now: number,
): Promise<View> => {
  const jobs = await deps.exports.jobsOf(shownJobs(definition));
  return show(deps, { definition, jobs: jobs.filter((job) => job !== undefined) }, now);
};

type View = ReturnType<typeof definitionView>;

/** `GET exports`: definitions in order of creation, the oldest first unless asked otherwise; all, or those of a status. */
export const listExports = async (
  deps: ReadDeps,
  { property, query, now }: Request<StatusListQuery>,
): Answer => {
  const asked = { property: property.id, list: `/v1/${property.id}/exports`, query };
  const page = await readPage(deps, asked);
  if (!page.ok) return page;
  const positionOf = ({ definition }: DefinitionWithJobs): string =>
    keys.exportDefinition(property.id, definition.export).sk;
  const { items, next } = await filterPage(
    page.value,
    async (wanted: Page) => {
      const found = await deps.exports.definitions(property.id, wanted);
      return { ...found, items: await withJobs(deps, found.items) };
    },
    {
      keep: query.status === undefined ? undefined : (item) => statusOf(item) === query.status,
      positionOf,
    },
  );
  const all = await Promise.all(items.map((item) => show(deps, item, now)));
  const exports = all.slice(0, fittingCount(all));
  const last = items[exports.length - 1];
  const position = last && exports.length < all.length ? positionOf(last) : next;
  const next_page = await linkTo(deps, { ...asked, next: position });
  return ok({ status: 200, body: { exports, paging: { next_page } } });
};

/** The jobs that a definition shows: the newest one, and those that may have made the latest file. */
const shownJobs = (definition: ExportDefinition): readonly JobRef[] => {
  const { property, export: id, latest_job, current_job, complete_job } = definition;
  const ids = [...new Set([latest_job, current_job, complete_job])].filter((job) => job !== null);
  return ids.map((job) => ({ property, export: id, job }));
};

/** A definition with those of its jobs that it shows. */
interface DefinitionWithJobs {
  readonly definition: ExportDefinition;
  readonly jobs: readonly ExportJob[];
}

const withJobs = async (
  { exports }: Pick<ReadDeps, 'exports'>,
  definitions: readonly ExportDefinition[],
): Promise<readonly DefinitionWithJobs[]> => {
  const read = await exports.jobsOf(definitions.flatMap(shownJobs));
  const byExport = Map.groupBy(
    read.filter((job) => job !== undefined),
    (job) => job.export,
  );
  return definitions.map((definition) => ({ definition, jobs: byExport.get(definition.export) ?? [] }));
};

/** What a definition shows as its status: the status of its latest job, `scheduled` before the first. */
const statusOf = ({ definition: { latest_job }, jobs }: DefinitionWithJobs): ExportStatus =>
  latest_job === null ? 'scheduled' : (jobs.find(({ job }) => job === latest_job)?.status ?? 'pending');

const show = async (deps: ReadDeps, item: DefinitionWithJobs, now: number): Promise<View> => {
  const files = item.jobs.filter(({ file }) => file).toSorted((a, b) => b.job - a.job);
  const [location] = await locate(deps, files[0], now);
  return definitionView(item.definition, { status: statusOf(item), location });
};

/** `GET exports/{export_id}/jobs`: newest first unless asked otherwise; all, or those of a status. */
export const listExportJobs = async (
  deps: ReadDeps,
  { property, path, query, now }: Request<StatusListQuery>,
): Answer => {
  const id = Number(path['export_id']);
  const known = belongsTo(property.id, id) && (await deps.exports.definition(property.id, id));
  if (!known) return err(problems.notFound());
  const asked = { property: property.id, list: `/v1/${property.id}/exports/${id}/jobs`, query };
  const page = await readPage(deps, asked, 'newest');
  if (!page.ok) return page;
  const { items, next } = await filterPage(
    page.value,
    (wanted: Page) => deps.exports.jobs(property.id, id, wanted),
    {
      keep: query.status === undefined ? undefined : ({ status }) => status === query.status,
      positionOf: ({ job }) => keys.exportJob(property.id, id, job).sk,
    },
  );
  const deliveries = await deps.exports.deliveries(items);
  const jobs = await Promise.all(items.map((job, index) => jobWith(deps, job, deliveries[index] ?? [], now)));
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
  const there = own && (await deps.exports.definition(property.id, ref.export));
  const job = there ? await deps.exports.job(ref) : undefined;
  if (!job) return err(problems.notFound());
  const [deliveries = []] = await deps.exports.deliveries([ref]);
  return ok({ status: 200, body: await jobWith(deps, job.value, deliveries, now) });
};

const jobWith = async (
  deps: ReadDeps,
  job: ExportJob,
  deliveries: readonly ExportDelivery[],
  now: number,
): Promise<JobView> => {
  const partsDone = job.status === 'running' ? (await deps.exports.parts(job)).length : 0;
  const [location, manifest] = await locate(deps, job, now);
  return jobView(job, { deliveries, partsDone, location, manifest });
};

const closed = [null, null] as const;

/** The locations of a job's file and of its manifest while they open. Keys are only read when there are any. */
const locate = async (
  { scopeOf, baseUrl }: ReadDeps,
  job: ExportJob | undefined,
  now: number,
): Promise<readonly [location: string | null, manifest: string | null]> => {
  if (!job?.file || job.file.expires <= now) return closed;
  const { keys: propertyKeys } = await scopeOf(job.property);
  const opened = { baseUrl, key: propertyKeys.downloads, now };
  const manifest = { ...job.file, name: manifestName(job) };
  return [locationOf(opened, job, job.file), locationOf(opened, job, manifest)];
};
