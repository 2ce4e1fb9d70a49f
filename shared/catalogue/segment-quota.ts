import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Pause } from '../runtime/pause.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** How many segments there are, and the names of the changes that came to this, the newest last. */
const quotaItem = v.object({
  w: v.string(),
  value: v.number(),
  changes: v.optional(v.array(v.string()), []),
});

/** How many segments there may be: of all types, and of the custom ones. */
const quotaLimits = {
  'segment-count': limits.segments.perProperty,
  'custom-count': limits.segments.customPerProperty,
} as const;
type Quota = keyof typeof quotaLimits;

/** Changes that are remembered. More may not come between a write and the look at what became of it. */
const REMEMBERED = 64;

/**
 * With more quota left than this, quota is reserved by an addition, which no other writer can refuse: an import's workers all
 * reserve at once. An addition that is repeated after a lost answer counts twice, so that the limit comes early by that much.
 */
const AMPLE = 1_000;

/** What changing quota needs. */
export interface QuotaDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/**
 * Quota for some segments. `name` names a reservation: a reservation that is repeated counts once, until its quota is given
 * back, and quota that is given back again under the name of its reservation counts once.
 */
export interface QuotaChange {
  readonly property: number;
  readonly quota: Quota;
  readonly name: string;
  readonly count: number;
}

/** How much quota is left for segments of a kind. */
export const freeQuota = async (table: Table, property: number, quota: Quota): Promise<number> => {
  const item = await table.get(keys.counter(property, quota));
  return Math.max(quotaLimits[quota] - (item ? v.parse(quotaItem, item).value : 0), 0);
};

/**
 * Reserves quota for up to `count` new segments below the property's limit, before they are made, and returns how many there
 * may be. A writer that dies keeps its quota: the limit may come early by that much, but is never passed.
 */
export const reserveQuota = (deps: QuotaDeps, change: QuotaChange): Promise<number> =>
  changeQuota(deps, change, {
    sign: '+',
    by: (value) => Math.min(change.count, Math.max(quotaLimits[change.quota] - value, 0)),
    // Counted twice at worst.
    unknown: 'repeat',
  });

/**
 * Reserves quota as `reserveQuota` does, for writers that reserve again and again and all at once. An addition has no name in
 * the counter, so each call needs a name of its own.
 */
export const reserveConcurrently = async (deps: QuotaDeps, change: QuotaChange): Promise<number> => {
  const { property, quota, name, count } = change;
  if ((await freeQuota(deps.table, property, quota)) < count + AMPLE) return reserveQuota(deps, change);
  const taken = await deps.table.increment(keys.counter(property, quota), count);
  const over = Math.min(count, Math.max(taken - quotaLimits[quota], 0));
  if (over > 0) await releaseQuota(deps, { ...change, name: partOf(name, 'over'), count: over });
  return count - over;
};

/** The name under which a part of a reservation is given back; each part of it has another name. */
export const partOf = (reservation: string, part: 'over' | 'lost'): string => `${reservation}/${part}`;

/** Gives back quota for segments that were not made after all, or are gone. */
export const releaseQuota = async (deps: QuotaDeps, change: QuotaChange): Promise<void> => {
  await changeQuota(deps, change, {
    sign: '-',
    by: () => -change.count,
    // Not given back at worst.
    unknown: 'leave',
  });
};

interface Counting {
  readonly sign: '+' | '-';
  /** By how much a value changes. */
  readonly by: (value: number) => number;
  /** What to do when so many changes have come since a try that nobody can say whether the try went through. */
  readonly unknown: 'repeat' | 'leave';
}

/**
 * Changes a counter exactly once by a write on condition of what was read. A write whose answer was lost may be told refused:
 * the names of the newest changes say then whether it went through.
 */
const changeQuota = async (
  { table, pause }: QuotaDeps,
  { property, quota, name, count }: QuotaChange,
  { sign, by, unknown }: Counting,
): Promise<number> => {
  const key = keys.counter(property, quota);
  let tried: Tried | undefined;
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, `segments: the ${quota}`);
    const item = await table.get(key);
    const { w, value, changes } = item ? v.parse(quotaItem, item) : { w: undefined, value: 0, changes: [] };
    if (changes.findLast((change) => change.slice(1) === name) === `${sign}${name}`)
      return tried?.by ?? count;
    if (tried && unknown === 'leave' && !isInSight(tried, changes)) return tried.by;
    const change = by(value);
    if (change === 0) return 0;
    const set = { value: value + change, changes: [...changes, `${sign}${name}`].slice(-REMEMBERED) };
    tried = { by: change, after: changes.at(-1) };
    const outcome = await table.write(
      w === undefined ? { kind: 'insert', key, set } : { kind: 'update', key, set, expect: { w } },
    );
    if (outcome === 'applied') return change;
  }
};

/** A try to change a counter, and the newest change ahead of it. */
interface Tried {
  readonly by: number;
  readonly after: string | undefined;
}

/** Whether changes go back to a try, so that they would name it if it had gone through. */
const isInSight = ({ after }: Tried, changes: readonly string[]): boolean =>
  after === undefined ? changes.length < REMEMBERED : changes.includes(after);
