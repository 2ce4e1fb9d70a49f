/**
 * Export views: read definitions and jobs together with the facts that their views show, for the routes that answer
 * them.
 */
import type { ListDeps } from '../../http/listing.ts';
import type { ExportDefinition, ExportDelivery, ExportJob, ExportStatus, JobRef } from '../model/items.ts';
import { locationOf } from '../model/location.ts';
import type { ExportRepository } from '../model/repository.ts';
import { definitionView, jobView, type JobView } from '../model/views.ts';
import { manifestName } from '../model/file-names.ts';

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
export const withJobs = async (
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
export const statusOf = ({ definition: { latest_job }, jobs }: DefinitionWithJobs): ExportStatus =>
  latest_job === null ? 'scheduled' : (jobs.find(({ job }) => job === latest_job)?.status ?? 'pending');

/** The view of a definition whose jobs were read. */
export const viewWithJobs = async (
  deps: DefinitionReadDeps,
  read: DefinitionWithJobs,
  now: number,
): Promise<ReturnType<typeof definitionView>> => {
  const files = read.jobs.filter(({ file }) => file).toSorted((a, b) => b.job - a.job);
  const [location] = await locate(deps, files[0], now);
  const facts = { status: statusOf(read), location, now, accountArn: deps.accountArn };
  return definitionView(read.definition, facts);
};

/** Reads the jobs of a definition for its view. */
export const readView = async (deps: DefinitionReadDeps, definition: ExportDefinition, now: number) => {
  const jobs = await deps.exports.jobsOf(shownJobs(definition));
  return viewWithJobs(deps, { definition, jobs: jobs.filter((job) => job !== undefined) }, now);
};

/** The view of a job with its progress, its deliveries and its locations. */
export const readJobView = async (
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

/**
 * The locations of a job's file and its manifest, while they open. The property's keys are read only for a job with a
 * file.
 */
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
