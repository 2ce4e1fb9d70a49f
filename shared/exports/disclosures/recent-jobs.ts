/** Recent jobs: the jobs of a property that made a file lately, of deleted exports too, the newest first. */
import { limits } from '../../config/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { keys } from '../../table/keys.ts';
import { readCounter } from '../../table/read-counter.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Table } from '../../table/table.ts';
import type { ExportFile, ExportJob, ExportPlan } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';

const { disclosureExports, disclosureJobs } = limits.exports;

export interface RecentDeps {
  readonly table: Pick<Table, 'get'>;
  readonly exports: Pick<ExportRepository, 'definitions' | 'jobs'>;
  readonly clock: Clock;
}

/** A job with a file. */
export interface JobWithFile extends ExportJob {
  readonly plan: ExportPlan;
  readonly file: ExportFile;
}

const isWithFile = (job: ExportJob): job is JobWithFile => job.plan !== null && job.file !== null;

/** What is looked at: jobs since a time, until a time of the clock. */
export interface Look {
  readonly since: number;
  readonly until: number;
}

/** Jobs of several exports, the newest first, and whether these are all. */
export interface RecentJobs {
  readonly jobs: readonly JobWithFile[];
  readonly isWhole: boolean;
}

/** Exports whose jobs are listed at the same time. */
const EXPORTS_AT_ONCE = 16;

/**
 * The jobs of a property since a time that have a file. Only live exports are listed anywhere; jobs of deleted exports are
 * found because the ids of exports follow each other.
 */
export const recentJobs = async (deps: RecentDeps, property: number, look: Look): Promise<RecentJobs> => {
  const { ids, isWhole } = await exportIds(deps, property);
  const found = await mapLimited(ids, EXPORTS_AT_ONCE, (id) => jobsOfExport(deps, { property, id }, look));
  return {
    jobs: found.flatMap(({ jobs }) => jobs).toSorted((a, b) => b.job - a.job),
    isWhole: isWhole && found.every((each) => each.isWhole),
  };
};

/** The ids of the newest exports, deleted ones too, and of the newest live exports. */
const exportIds = async (
  { table, exports }: RecentDeps,
  property: number,
): Promise<{ readonly ids: readonly number[]; readonly isWhole: boolean }> => {
  const last = await readCounter(table, keys.counter(property, 'export'));
  const length = Math.min(last, disclosureExports);
  const newest = Array.from({ length }, (_, index) => scopedId(property, last - index));
  if (length === last) return { ids: newest, isWhole: true };
  const live = await exports.definitions(property, { limit: disclosureExports, descending: true });
  return { ids: [...new Set([...newest, ...live.items.map(({ export: id }) => id)])], isWhole: false };
};

const jobsOfExport = async (
  { exports, clock }: RecentDeps,
  exported: ExportRef,
  { since, until }: Look,
): Promise<RecentJobs> => {
  const jobs: JobWithFile[] = [];
  if (clock() >= until) return { jobs, isWhole: false };
  for await (const { recent, isLast } of jobsSince(exports, exported, since)) {
    jobs.push(...recent.filter(isWithFile));
    if (!isLast && (jobs.length >= disclosureJobs || clock() >= until)) return { jobs, isWhole: false };
  }
  return { jobs, isWhole: true };
};

interface ExportRef {
  readonly property: number;
  readonly id: number;
}

/** The jobs of an export since a time, the newest first, page by page. */
export async function* jobsSince(
  exports: Pick<ExportRepository, 'jobs'>,
  { property, id }: ExportRef,
  since: number,
): AsyncGenerator<{ readonly recent: readonly ExportJob[]; readonly isLast: boolean }, undefined> {
  for (let after: string | undefined; ;) {
    const { items, next } = await exports.jobs(property, id, {
      limit: disclosureJobs,
      descending: true,
      after,
    });
    const recent = items.filter(({ created }) => created >= since);
    const isLast = next === undefined || recent.length < items.length;
    yield { recent, isLast };
    if (isLast) return;
    after = next;
  }
}
