import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { keys, WATCHED_SHARDS } from '../../table/keys.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { allItems } from '../../table/all-items.ts';
import type { Table } from '../../table/table.ts';
import type { ImportJob } from './import-job.ts';
import type { ImportRepository } from './repository.ts';

const watchedItem = v.object({ w: v.string(), property: v.number(), job: v.number(), since: v.number() });
/** A job that may have batches without a result, since when (epoch milliseconds). */
export type WatchedJob = Readonly<v.InferOutput<typeof watchedItem>>;

/** The jobs that the repair looks after, so that it need not look at every job there ever was. */
export interface WatchedJobs {
  /** Puts a job on the list, or there again from now on. */
  watch(job: Pick<ImportJob, 'property' | 'id'>, now: number): Promise<void>;
  all(): Promise<readonly WatchedJob[]>;
  /** Takes a job off the list, unless it was put there again since it was seen. */
  unwatch(seen: WatchedJob): Promise<void>;
}

/** Shards of the list that are read at once. */
const SHARDS_AT_ONCE = 4;

/** The list of a table. */
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
 * Sees to it that a job is watched before it gets a batch. The job remembers that it is, so that thousands of batches do
 * not all write one item; the repair takes no job off the list for twice that time.
 */
export const keepWatched = async (
  { imports, watched }: WatchDeps,
  job: ImportJob,
  now: number,
): Promise<void> => {
  if (job.watched !== null && now - job.watched < limits.imports.watchHours * 3_600_000) return;
  await watched.watch(job, now);
  // Losing to another change: the next batch watches once more.
  await imports.updateJob(job, { watched: now });
};
