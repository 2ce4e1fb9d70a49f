/** Segment quota: limits the segments of a property, counted exactly although many writers count at the same time. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import type { SegmentIdentity } from './types.ts';

const quotaItem = v.object({ w: v.string(), value: v.number() });

/**
 * The quotas of a property, each with its counter: for segments of all types, for custom segments, and for segments of
 * consent. Segments of consent count with the others, and have a reserve beyond the quota of the others.
 */
const quotas = {
  segment: { counter: 'segment-count', most: limits.segments.perProperty },
  custom: { counter: 'custom-count', most: limits.segments.customPerProperty },
  consent: {
    counter: 'segment-count',
    most: limits.segments.perProperty + limits.segments.consentReserve,
  },
} as const;
type Quota = keyof typeof quotas;

/** The quota of a segment that is derived from the values of profiles. */
export const quotaOf = ({ type }: Pick<SegmentIdentity, 'type'>): 'segment' | 'consent' =>
  type === 'consent' ? 'consent' : 'segment';

/**
 * With more quota left than this, a reservation is an atomic addition, which never conflicts: all workers of an import
 * reserve at the same time. An addition that is repeated after a lost answer counts twice, so the limit may come early
 * by that much.
 */
const AMPLE = 1_000;

export interface QuotaDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/** A number of segments that count in a quota. */
export interface QuotaChange {
  readonly property: number;
  readonly quota: Quota;
  readonly count: number;
}

/** The quota that is left. */
export const freeQuota = async (table: Table, property: number, quota: Quota): Promise<number> =>
  freeOf(quota, (await readCount(table, property, quota))?.value);

const readCount = async (table: Pick<Table, 'get'>, property: number, quota: Quota) => {
  const item = await table.get(keys.counter(property, quotas[quota].counter));
  return item && v.parse(quotaItem, item);
};

const freeOf = (quota: Quota, value = 0): number => Math.max(quotas[quota].most - value, 0);

/**
 * The write that counts one segment more or one fewer, for the transaction that creates or deletes the segment. Refused when
 * another writer has counted since. `undefined` when the quota is used up.
 */
export const quotaWrite = async (
  table: Pick<Table, 'get'>,
  property: number,
  quota: Quota,
  by: 1 | -1,
): Promise<Write | undefined> => {
  const seen = await readCount(table, property, quota);
  return by > freeOf(quota, seen?.value) ? undefined : countWrite(property, quota, seen, by);
};

const countWrite = (
  property: number,
  quota: Quota,
  seen: v.InferOutput<typeof quotaItem> | undefined,
  by: number,
): Write => {
  const key = keys.counter(property, quotas[quota].counter);
  const set = { value: (seen?.value ?? 0) + by };
  return seen ? { kind: 'update', key, set, expect: { w: seen.w } } : { kind: 'insert', key, set };
};

/**
 * Reserves quota for up to `count` new segments, before they are created, and returns the reserved number. A writer
 * that dies keeps its reservation: the limit may come early by that much, but is never exceeded.
 */
export const reserveConcurrently = async (deps: QuotaDeps, change: QuotaChange): Promise<number> => {
  const { property, quota, count } = change;
  if ((await freeQuota(deps.table, property, quota)) < count + AMPLE)
    return changeQuota(deps, change, (free) => Math.min(count, free));
  const taken = await deps.table.increment(keys.counter(property, quotas[quota].counter), count);
  const over = Math.min(count, Math.max(taken - quotas[quota].most, 0));
  if (over > 0) await releaseQuota(deps, { ...change, count: over });
  return count - over;
};

/** Releases quota for segments that were not created after all. */
export const releaseQuota = async (deps: QuotaDeps, change: QuotaChange): Promise<void> => {
  await changeQuota(deps, change, () => -change.count);
};

/** Changes a counter by what `by` makes of the free quota, and returns the change. A transaction counts a lost answer once. */
const changeQuota = async (
  { table, pause }: QuotaDeps,
  { property, quota }: QuotaChange,
  by: (free: number) => number,
): Promise<number> =>
  retryOnConflict({ pause, what: `segments: the ${quotas[quota].counter}` }, async () => {
    const seen = await readCount(table, property, quota);
    const change = by(freeOf(quota, seen?.value));
    if (change === 0) return done(0);
    const refused = await table.transact([countWrite(property, quota, seen, change)]);
    return refused.length === 0 ? done(change) : 'conflict';
  });
