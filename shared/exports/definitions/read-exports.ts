/** Read exports: definitions and jobs with the facts that their views show, and the routes that answer them. */
import type { ApiRequest, UseCase } from '../../http/api-types.ts';
import type { StatusListQuery } from '../../http/list-schemas.ts';
import { answerList, type ListDeps } from '../../http/listing.ts';
import { notFound } from '../../http/not-found.ts';
import { err, ok } from '../../runtime/result.ts';
import { keys } from '../../table/keys.ts';
import { manifestName } from '../model/file-names.ts';
import type { ExportDefinition, ExportDelivery, ExportJob, ExportStatus, JobRef } from '../model/items.ts';
import { locationOf } from '../model/location.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestedDefinition, requestedJob } from '../model/named-items.ts';
import { definitionView, jobView, type JobView } from '../model/views.ts';
import { tellingOf } from '../runs/run-queue.ts';

export interface ReadDeps extends ListDeps {
  readonly exports: ExportRepository;
}

export interface DefinitionReadDeps extends ReadDeps {
  /** ARN of the account of the service. */
  readonly accountArn: string;
}

/** A definition and the jobs that its view shows. */
export interface DefinitionWithJobs {
  readonly definition: ExportDefinition;
  readonly jobs: readonly ExportJob[];
}

/** The jobs in the view of a definition: the newest job, and the jobs that may have made the latest file. */
const shownJobs = (definition: ExportDefinition): readonly JobRef[] => {
  const { property, export: id, latest_job, current_job, complete_job } = definition;
  const ids = [...new Set([latest_job, current_job, complete_job])].filter((job) => job !== null);
  return ids.map((job) => ({ property, export: id, job }));
};

/** Reads the jobs of definitions, in one go. */
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

/** The status of a definition: the status of its latest job, `scheduled` before the first job. */
const statusOf = ({ definition: { latest_job }, jobs }: DefinitionWithJobs): ExportStatus =>
  latest_job === null ? 'scheduled' : (jobs.find(({ job }) => job === latest_job)?.status ?? 'pending');

/** Who looks at a file, and when. */
type Look = Pick<ApiRequest<unknown, unknown>, 'now' | 'permissions'>;

/** Whether a token may let data out. */
const letsOut = ({ permissions }: Look): boolean => permissions.includes('exports.write');

/** The view of a definition whose jobs were read. */
const viewWithJobs = async (
  deps: DefinitionReadDeps,
  read: DefinitionWithJobs,
  look: Look,
): Promise<ReturnType<typeof definitionView>> => {
  const files = read.jobs.filter(({ file }) => file).toSorted((a, b) => b.job - a.job);
  const [location] = await locate(deps, files[0], look);
  const told = await toldJob(deps, read, look.now);
  const facts = { status: statusOf(read), location, told, now: look.now, accountArn: deps.accountArn };
  return definitionView(read.definition, facts);
};

/** The last job whose changes the receiver took whole. The definition names it when the next run is requested. */
const toldJob = async (
  deps: Pick<ReadDeps, 'exports'>,
  { definition, jobs }: DefinitionWithJobs,
  now: number,
): Promise<number | null> => {
  if (definition.changes === null) return null;
  const current = jobs.find(({ job }) => job === definition.current_job);
  if (current?.status !== 'complete') return definition.told_job;
  // Read after its job, as its delivery begins after its end.
  const delivery = (await deps.exports.delivery(current, 'changes'))?.value;
  return tellingOf(definition, current, { delivery, now }) === 'told' ? current.job : definition.told_job;
};

/** Reads the jobs of a definition for its view. */
export const readView = async (deps: DefinitionReadDeps, definition: ExportDefinition, look: Look) => {
  const jobs = await deps.exports.jobsOf(shownJobs(definition));
  return viewWithJobs(deps, { definition, jobs: jobs.filter((job) => job !== undefined) }, look);
};

/** The view of a job with its progress, its deliveries and its locations. */
const readJobView = async (
  deps: ReadDeps,
  job: ExportJob,
  deliveries: readonly ExportDelivery[],
  look: Look,
): Promise<JobView> => {
  const partsDone = job.status === 'running' ? (await deps.exports.parts(job)).length : 0;
  const [location, manifest] = await locate(deps, job, look);
  const view = jobView(job, { deliveries, partsDone, location, manifest });
  // The hash of a file of one person would confirm a guess.
  return letsOut(look) ? view : { ...view, sha256: null };
};

const closed = [null, null] as const;

/**
 * The locations of a job's file and its manifest, while they open. They need no token, so only a token that may let data
 * out sees them. The property's keys are read only for a job with a file.
 */
const locate = async (
  { scopeOf, baseUrl }: ReadDeps,
  job: ExportJob | undefined,
  look: Look,
): Promise<readonly [location: string | null, manifest: string | null]> => {
  if (!job?.file || job.file.expires <= look.now || !letsOut(look)) return closed;
  const { keys: propertyKeys } = await scopeOf(job.property);
  const opened = { baseUrl, key: propertyKeys.downloads, now: look.now };
  const manifest = { ...job.file, name: manifestName(job) };
  return [locationOf(opened, job, job.file), locationOf(opened, job, manifest)];
};

/** `GET exports/{export_id}`: the definition, the status of its latest job and the location of the latest file. */
export const getExport: UseCase<DefinitionReadDeps> = async (deps, request) => {
  const seen = await requestedDefinition(deps.exports, request);
  if (!seen) return err(notFound('export', request));
  return ok({ status: 200, body: await readView(deps, seen.value, request) });
};

/**
 * `GET exports`: definitions in order of creation, the oldest first unless the query says otherwise, with an optional
 * status filter.
 */
export const listExports: UseCase<DefinitionReadDeps, StatusListQuery> = async (deps, request) => {
  const { property, query } = request;
  return answerList(deps, request, 'exports', {
    path: `/v1/${property.id}/exports`,
    read: async (page) => {
      const read = await deps.exports.definitions(property.id, page);
      return { ...read, items: await withJobs(deps, read.items) };
    },
    keep: query.status === undefined ? undefined : (item) => statusOf(item) === query.status,
    positionOf: ({ definition }) => keys.exportDefinition(property.id, definition.export).sk,
    views: (items) => Promise.all(items.map((item) => viewWithJobs(deps, item, request))),
  });
};

/** `GET exports/{export_id}/jobs/{job_id}`. */
export const getExportJob: UseCase<ReadDeps> = async (deps, request) => {
  const job = await requestedJob(deps.exports, request);
  if (!job) return err(notFound('exportJob', request));
  const [deliveries = []] = await deps.exports.deliveries([job.value]);
  return ok({ status: 200, body: await readJobView(deps, job.value, deliveries, request) });
};

/** `GET exports/{export_id}/jobs`: the newest first unless the query says otherwise, with an optional status filter. */
export const listExportJobs: UseCase<ReadDeps, StatusListQuery> = async (deps, request) => {
  const { property, query } = request;
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
      return Promise.all(jobs.map((job, index) => readJobView(deps, job, deliveries[index] ?? [], request)));
    },
  });
};
