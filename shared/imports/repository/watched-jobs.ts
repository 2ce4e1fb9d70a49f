import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { keys, WATCHED_SHARDS } from '../../table/keys.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { allItems } from '../../table/all-items.ts';
import type { Table } from '../../table/table.ts';
import type { ImportJob } from '../items/import-job.ts';
import type { ImportRepository } from './repository.ts';
import { HOUR_MS } from '../../runtime/clock.ts';

const watchedItem = v.object({ w: v.string(), property: v.number(), job: v.number(), since: v.number() });

/** A job that may have batches without a result, and the time since when (epoch milliseconds). */
export type WatchedJob = Readonly<v.InferOutput<typeof watchedItem>>;

/** Watch list: the jobs that the repair checks, so that it need not scan all jobs. */
export interface WatchedJobs {
  /** Puts a job on the list, or renews its entry. */
  watch(job: Pick<ImportJob, 'property' | 'id'>, now: number): Promise<void>;
  all(): Promise<readonly WatchedJob[]>;
  /** Removes a job from the list, unless its entry was renewed since it was read. */
  unwatch(seen: WatchedJob): Promise<void>;
}

/** Number of shards of the list that are read at once. */
const SHARDS_AT_ONCE = 4;

/** The watch list in a table. */
export const watchedJobs = (table: Table): WatchedJobs => ({
  watch: ({ property, id }, since) => table.put(keys.watchedJob(property, id), { property, job: id, since }),
  all: async () => {
    const shards = Array.from({ length: WATCHED_SHARDS }, (_, shard) => keys.watchedJobs(shard));
    const items = await mapLimited(shards, SHARDS_AT_ONCE, (shard) => allItems(table, shard));
    return items.flat().map((item) => v.parse(watchedItem, item));
  },
  unwatch: async ({ property, job, w }) => {
    await table.write({ kind: 'delete', key: keys.watchedJob(property, job), expect: { w } });
  },
});

interface WatchDeps {
  readonly imports: Pick<ImportRepository, 'updateJob'>;
  readonly watched: WatchedJobs;
}

/**
 * Ensures that a job is on the watch list before it gets a batch. The job stores when it was last put there, so that
 * thousands of batches do not all write one item. The repair keeps every entry for twice `limits.imports.watchHours`.
 */
export const keepWatched = async (
  { imports, watched }: WatchDeps,
  job: ImportJob,
  now: number,
): Promise<void> => {
  if (job.watched !== null && now - job.watched < limits.imports.watchHours * HOUR_MS) return;
  await watched.watch(job, now);
  // If this write loses to another change, the next batch renews the entry once more.
  await imports.updateJob(job, { watched: now });
};
