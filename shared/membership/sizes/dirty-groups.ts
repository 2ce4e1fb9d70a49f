/** Dirty groups: records which parts of the index changed when, so that segment sizes are recounted only there. */
import { hash } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { DAY_MS, MINUTE_MS, ttlAt, type Clock } from '../../runtime/clock.ts';
import { batchesOf, mapLimited } from '../../runtime/pool.ts';
import { allItems } from '../../table/all-items.ts';
import { keys, TOUCH_SHARDS } from '../../table/keys.ts';
import type { Table, Write } from '../../table/table.ts';
import { isHiddenId } from '../../catalogue/calendars.ts';
import { pushVarint, VarintReader } from '../../runtime/varint.ts';

const BUCKET_MS = limits.sizes.bucketMinutes * MINUTE_MS;
const MARGIN_MS = limits.sizes.marginMinutes * MINUTE_MS;

/** More than a clock may be fast: its process notes changes in the next bucket already. */
const AHEAD_MS = MINUTE_MS;

/** Segments and groups that a writer remembers to have recorded. */
const CACHED = 50_000;

/** Segments in one record: with a few groups each, it stays below DynamoDB's limit of 400 KB. */
const PER_RECORD = 10_000;

/** Partitions read at once. */
const PARALLEL = 8;

/** Groups by segment. */
export type Groups = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Dirty tracking: records the groups of segments that are about to change in the index, so that only these are
 * recounted.
 */
export interface DirtyGroupTracker {
  mark(property: number, groups: Groups): Promise<void>;
}

const bucketOf = (time: number): number => Math.floor(time / BUCKET_MS);

/**
 * A tracker with a cache: a process records each segment and group at most once in a quarter of an hour, however often
 * it changes them. The key of a record is a hash of its content, so that equal records of many processes are one item.
 */
export const dirtyGroupTracker = ({
  table,
  clock,
}: {
  readonly table: Table;
  readonly clock: Clock;
}): DirtyGroupTracker => {
  const known = new BoundedMap<string, number>(CACHED);
  return {
    mark: async (property, groups) => {
      const bucket = bucketOf(clock());
      const fresh = [...groups].flatMap(([segment, touched]): readonly Touched[] => {
        const unknown = [...touched].filter((group) => known.get(`${segment}#${group}`) !== bucket);
        return unknown.length === 0 || isHiddenId(property, segment) ? [] : [[segment, unknown]];
      });
      if (fresh.length === 0) return;
      const records = [...batchesOf(fresh, PER_RECORD)].map((batch) =>
        recordWrite(property, bucket, encode(batch)),
      );
      // Refused where another process has written the same record.
      await table.writeMany(records);
      for (const [segment, touched] of fresh)
        for (const group of touched) known.set(`${segment}#${group}`, bucket);
    },
  };
};

type Touched = readonly [segment: number, groups: readonly number[]];

const recordWrite = (property: number, bucket: number, touched: Uint8Array): Write => {
  const name = hash('sha256', touched);
  const shard = Number.parseInt(name.slice(0, 2), 16) % TOUCH_SHARDS;
  const ttl = ttlAt(bucket * BUCKET_MS + limits.sizes.retentionDays * DAY_MS);
  return { kind: 'insert', key: keys.touched(property, bucket, shard, name), set: { touched, ttl } };
};

const encode = (touched: readonly Touched[]): Uint8Array => {
  const bytes: number[] = [];
  for (const [segment, groups] of touched.toSorted(([a], [b]) => a - b)) {
    pushVarint(bytes, segment);
    pushVarint(bytes, groups.length);
    for (const group of groups.toSorted((a, b) => a - b)) pushVarint(bytes, group);
  }
  return Uint8Array.from(bytes);
};

const recordItem = v.object({ touched: v.instance(Uint8Array) });

/**
 * The groups that may have changed in the index of a property between `since` and `now` (epoch milliseconds), by
 * segment.
 */
export const dirtySince = async (
  table: Table,
  property: number,
  since: number,
  now: number,
): Promise<Groups> => {
  const places: { readonly bucket: number; readonly shard: number }[] = [];
  for (let bucket = bucketOf(since - MARGIN_MS); bucket <= bucketOf(now + AHEAD_MS); bucket += 1)
    for (let shard = 0; shard < TOUCH_SHARDS; shard += 1) places.push({ bucket, shard });
  const found = new Map<number, Set<number>>();
  await mapLimited(places, PARALLEL, async ({ bucket, shard }) => {
    for (const item of await allItems(table, keys.touched(property, bucket, shard, '').pk))
      collect(found, v.parse(recordItem, item).touched);
  });
  return found;
};

const collect = (found: Map<number, Set<number>>, bytes: Uint8Array): void => {
  const reader = new VarintReader(bytes, 0);
  while (!reader.done) {
    const segment = reader.next();
    const groups = found.get(segment) ?? new Set<number>();
    for (let left = reader.next(); left > 0; left -= 1) groups.add(reader.next());
    found.set(segment, groups);
  }
};
