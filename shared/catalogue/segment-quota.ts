/** Segment quota: limits the segments of a property, counted exactly although many writers reserve at the same time. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Pause } from '../runtime/pause.ts';
import { changeItem } from '../table/change-item.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { SegmentIdentity } from './types.ts';

/** The number of segments, and the names of the latest changes to it, newest last. */
const quotaItem = v.object({
  value: v.number(),
  changes: v.optional(v.array(v.string()), []),
});

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
 * Changes whose names the counter keeps. A writer can tell whether its change was applied unless more changes follow
 * it.
 */
const REMEMBERED = 64;

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

/**
 * A change of a quota. `name` identifies the reservation: a repeated reservation counts once until it is released, and
 * a repeated release of the same reservation counts once.
 */
export interface QuotaChange {
  readonly property: number;
  readonly quota: Quota;
  readonly name: string;
  readonly count: number;
}

/** The quota that is left. */
export const freeQuota = async (table: Table, property: number, quota: Quota): Promise<number> => {
  const item = await table.get(keys.counter(property, quotas[quota].counter));
  return Math.max(quotas[quota].most - (item ? v.parse(quotaItem, item).value : 0), 0);
};

/**
 * Reserves quota for up to `count` new segments, before they are created, and returns the reserved number. A writer
 * that dies keeps its reservation: the limit may come early by that much, but is never exceeded.
 */
export const reserveQuota = (deps: QuotaDeps, change: QuotaChange): Promise<number> =>
  changeQuota(deps, change, {
    sign: '+',
    by: (value) => Math.min(change.count, Math.max(quotas[change.quota].most - value, 0)),
    // At worst the reservation counts twice.
    unknown: 'repeat',
  });

/**
 * Reserves quota like `reserveQuota`, for many concurrent writers. An addition leaves no name in the counter, so each
 * call needs a new name.
 */
export const reserveConcurrently = async (deps: QuotaDeps, change: QuotaChange): Promise<number> => {
  const { property, quota, name, count } = change;
  if ((await freeQuota(deps.table, property, quota)) < count + AMPLE) return reserveQuota(deps, change);
  const taken = await deps.table.increment(keys.counter(property, quotas[quota].counter), count);
  const over = Math.min(count, Math.max(taken - quotas[quota].most, 0));
  if (over > 0) await releaseQuota(deps, { ...change, name: partOf(name, 'over'), count: over });
  return count - over;
};

/** The name for releasing a part of a reservation; each part has its own name. */
export const partOf = (reservation: string, part: 'over' | 'lost'): string => `${reservation}/${part}`;

/** Releases quota for segments that were not created after all, or were deleted. */
export const releaseQuota = async (deps: QuotaDeps, change: QuotaChange): Promise<void> => {
  await changeQuota(deps, change, {
    sign: '-',
    by: () => -change.count,
    // At worst the quota is not released.
    unknown: 'leave',
  });
};

interface Counting {
  readonly sign: '+' | '-';
  /** The change, by the present value. */
  readonly by: (value: number) => number;
  /** The reaction when too many changes followed an attempt to tell whether the attempt was applied. */
  readonly unknown: 'repeat' | 'leave';
}

/**
 * Changes a counter exactly once, under optimistic locking. A write whose answer was lost may count as refused. Then
 * the names of the latest changes tell whether it was applied.
 */
const changeQuota = async (
  { table, pause }: QuotaDeps,
  { property, quota, name, count }: QuotaChange,
  { sign, by, unknown }: Counting,
): Promise<number> => {
  const { counter } = quotas[quota];
  const key = keys.counter(property, counter);
  let tried: Attempt | undefined;
  return changeItem({ table, pause }, { key, what: `segments: the ${counter}` }, (item) => {
    const { value, changes } = item ? v.parse(quotaItem, item) : { value: 0, changes: [] };
    if (changes.findLast((change) => change.slice(1) === name) === `${sign}${name}`)
      return { result: tried?.by ?? count };
    if (tried && unknown === 'leave' && !isInSight(tried, changes)) return { result: tried.by };
    const change = by(value);
    if (change === 0) return { result: 0 };
    tried = { by: change, after: changes.at(-1) };
    const set = { value: value + change, changes: [...changes, `${sign}${name}`].slice(-REMEMBERED) };
    return { result: change, set };
  });
};

/** An attempt to change a counter, and the newest change before it. */
interface Attempt {
  readonly by: number;
  readonly after: string | undefined;
}

/** Whether `changes` reach back to an attempt, so that they would name it if it had been applied. */
const isInSight = ({ after }: Attempt, changes: readonly string[]): boolean =>
  after === undefined ? changes.length < REMEMBERED : changes.includes(after);
