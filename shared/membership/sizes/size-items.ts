/** Size items: the stored measurements, lists and progress of segment sizes. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { DAY_MS, MINUTE_MS, ttlAt } from '../../runtime/clock.ts';
import { keys } from '../../table/keys.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { StoredItem, Table, Write, WriteOutcome } from '../../table/table.ts';
import { pushVarint, VarintReader } from '../../runtime/varint.ts';

/** The number of members of a segment. */
export interface Size {
  readonly segment: number;
  readonly count: number;
}

const sizeItem = v.object({ segment: v.number(), custom: v.boolean(), counts: v.instance(Uint8Array) });

/** The stored measurement of a segment: its number of members by group. */
export interface Measured {
  readonly segment: number;
  readonly custom: boolean;
  readonly counts: ReadonlyMap<number, number>;
}

export const parseMeasured = (item: StoredItem): Measured => {
  const { counts, ...rest } = v.parse(sizeItem, item);
  const reader = new VarintReader(counts, 0);
  const byGroup = new Map<number, number>();
  while (!reader.done) byGroup.set(reader.next(), reader.next());
  return { ...rest, counts: byGroup };
};

/** Stores a measurement if the item has not changed since it was read. */
export const measuredWrite = (
  property: number,
  { segment, custom, counts }: Measured,
  item: StoredItem | undefined,
): Write => {
  const bytes: number[] = [];
  for (const [group, count] of counts) {
    pushVarint(bytes, group);
    pushVarint(bytes, count);
  }
  const set = { segment, custom, counts: Uint8Array.from(bytes.length === 0 ? [0, 0] : bytes) };
  const key = keys.size(property, segment);
  return item ? { kind: 'update', key, set, expect: { w: item.w } } : { kind: 'insert', key, set };
};

export const totalOf = ({ counts }: Measured): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** The order of the list: the largest first, then by id. */
export const bySize = (a: Size, b: Size): number => b.count - a.count || a.segment - b.segment;

const start = v.object({ segment: v.number(), count: v.number() });
const list = v.object({
  version: v.number(),
  as_of: v.number(),
  written: v.number(),
  starts: v.array(start),
});

/** A list in the table. `starts`: the first entry of each item of the list. Times in epoch milliseconds. */
export type SizeList = Readonly<v.InferOutput<typeof list>>;

const stateItem = v.object({
  /** The number of calls that have measured sizes. Each call names its list by this number. */
  calls: v.number(),
  /** The counts include all changes that were answered before this time; null before the first list. */
  as_of: v.nullable(v.number()),
  /** The measurement in progress: its begin, the last counted segment, and its cost so far. */
  run: v.nullable(v.object({ started: v.number(), after: v.number(), cost: v.optional(v.number(), 0) })),
  /** What the last measurement has cost, in read units, about. Release 0.2.0 did not note it. */
  cost: v.optional(v.number(), 0),
  /** When work ended that the list by size should count soon; of no meaning once `as_of` has reached it. */
  wanted: v.optional(v.number(), 0),
  /** Newest first. */
  lists: v.array(list),
});

/** The state of the sizes of a property. */
export type SizeState = Readonly<v.InferOutput<typeof stateItem>>;

const NEW_MS = limits.sizes.bucketMinutes * MINUTE_MS;

/**
 * Whether the stored state is of a new property: it has no list with members that is older than a quarter of an hour. A
 * damaged state is not new; the round over all properties reports it.
 */
export const isNewState = (item: StoredItem | undefined, now: number): boolean => {
  if (!item) return true;
  const state = v.safeParse(stateItem, item);
  return (
    state.success &&
    state.output.lists.every(({ starts, written }) => (starts[0]?.count ?? 0) === 0 || now - written < NEW_MS)
  );
};

const RESTED_MS = limits.sizes.restMinutes * MINUTE_MS - NEW_MS / 2;

/**
 * Whether a property can afford another measurement at the end of an import. What costs more than an import itself comes
 * no more often than the dearest measurements of all rounds would allow, and an expensive one as between two rounds.
 */
export const isRested = ({ as_of, cost }: Pick<SizeState, 'as_of' | 'cost'>, now: number): boolean => {
  const { freeUnits, cheapUnits } = limits.sizes;
  if (as_of === null || cost <= freeUnits) return true;
  return now - as_of >= (cost > cheapUnits ? RESTED_MS : (cost / cheapUnits) * NEW_MS);
};

/** Whether work has ended that the stored state does not count, and the property can afford its measurement. */
export const isWantedState = (item: StoredItem | undefined, now: number): boolean => {
  const state = v.safeParse(stateItem, item);
  if (!state.success) return false;
  const { wanted, as_of, run } = state.output;
  return wanted > (as_of ?? 0) && (run !== null || isRested(state.output, now));
};

/**
 * Whether a property is to be measured in this round: in each round, but only each hour if the last measurement was
 * expensive. An interrupted measurement goes on.
 */
export const isDue = ({ run, as_of, cost }: SizeState, now: number): boolean =>
  run !== null || as_of === null || cost <= limits.sizes.cheapUnits || now - as_of >= RESTED_MS;

export const readState = async (table: Table, property: number): Promise<SizeState | undefined> => {
  const item = await table.get(keys.sizes(property));
  return item && v.parse(stateItem, item);
};

/**
 * Stores the state if `calls` have measured so far, undefined for none: of two concurrent calls only the later continues.
 * What ends of imports note meanwhile stays.
 */
export const writeState = (
  table: Table,
  property: number,
  { calls, as_of, run, lists, cost }: Omit<SizeState, 'wanted'>,
  calledBefore: number | undefined,
): Promise<WriteOutcome> => {
  const key = keys.sizes(property);
  const plain = lists.map((one) => ({ ...one, starts: one.starts.map((entry) => ({ ...entry })) }));
  const set = { calls, as_of, run: run && { ...run }, lists: plain, cost };
  return table.write(
    calledBefore === undefined
      ? { kind: 'insert', key, set }
      : { kind: 'update', key, set, expect: { calls: calledBefore } },
  );
};

const listItem = v.object({ entries: v.instance(Uint8Array) });

/** Writes the items of a list, in order. They expire. */
export const writeList = async (
  table: Table,
  property: number,
  version: number,
  { sizes, now }: { readonly sizes: readonly Size[]; readonly now: number },
): Promise<SizeList['starts']> => {
  const starts: Size[] = [];
  const ttl = ttlAt(now + limits.sizes.retentionDays * DAY_MS);
  for (let at = 0; at < sizes.length; at += limits.sizes.perItem) {
    const page = sizes.slice(at, at + limits.sizes.perItem);
    const bytes: number[] = [];
    for (const { segment, count } of page) {
      pushVarint(bytes, segment - scopedId(property, 0));
      pushVarint(bytes, count);
    }
    await table.put(keys.sizeList(property, version, starts.length), {
      entries: Uint8Array.from(bytes),
      ttl,
    });
    starts.push(...page.slice(0, 1));
  }
  return starts;
};

/** The entries of one item of a list; none when it has expired. */
export const readListItem = async (
  table: Table,
  property: number,
  version: number,
  page: number,
): Promise<readonly Size[]> => {
  const item = await table.get(keys.sizeList(property, version, page));
  if (!item) return [];
  const reader = new VarintReader(v.parse(listItem, item).entries, 0);
  const sizes: Size[] = [];
  while (!reader.done) {
    const segment = scopedId(property, reader.next());
    sizes.push({ segment, count: reader.next() });
  }
  return sizes;
};
