/** Profile items: reads the items at many ordinals in the cheaper of two ways, a few megabytes at a time. */
import { mapAhead } from '../runtime/map-ahead.ts';
import { batchesOf } from '../runtime/pool.ts';
import { workBudget } from '../runtime/work-budget.ts';
import { blockOf, keys, PROFILES_PER_BLOCK } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';

/**
 * The number of wanted items in a block from which a query is cheaper. A batch get bills at least
 * 4 KB for each item, a query bills the bytes: with profiles of 1 KB, 256 profiles by query cost as much as 64 by key.
 */
const DENSE = PROFILES_PER_BLOCK / 4;

/** Items that are read by key at once: 24 MB of the largest. */
const KEYS_AT_ONCE = DENSE;

/** Reads under way at once. */
const PARALLEL = 4;

/** Items with their ordinals. */
type Found = readonly (readonly [ordinal: number, item: StoredItem])[];

/** The items of one read, and the read of the rest of its block. */
interface Step {
  readonly found: Found;
  readonly rest?: () => Promise<Step>;
}

type ReadTable = Pick<Table, 'getMany' | 'query'>;

/**
 * The items at these ordinals, read strongly. An ordinal without an item is absent. All items are in memory at once: use
 * `profileItems` for people that no record of a batch names.
 */
export const readProfileItems = async (
  table: ReadTable,
  property: number,
  ordinals: Iterable<number>,
): Promise<ReadonlyMap<number, StoredItem>> => {
  const found = new Map<number, StoredItem>();
  for await (const step of profileItems(table, property, ordinals))
    for (const [ordinal, item] of step) found.set(ordinal, item);
  return found;
};

/**
 * The same items in steps, in the order of the ordinals if these ascend or descend. A block of which a quarter or more is
 * wanted takes queries of two calls each, so of 2 MB; the other ordinals are read by key. The next steps are read while
 * the caller uses one, so about five steps are in memory, however many and however large the items are.
 */
export async function* profileItems(
  table: ReadTable,
  property: number,
  ordinals: Iterable<number>,
): AsyncGenerator<Found, void> {
  for await (const first of mapAhead(readsOf(table, property, ordinals), PARALLEL, (read) => read())) {
    for (let step: Step | undefined = first; step;) {
      const rest: Promise<Step> | undefined = step.rest?.();
      // A read that fails early is thrown in its turn, not as an unhandled rejection.
      rest?.catch(() => undefined);
      yield step.found;
      step = await rest;
    }
  }
}

/** The reads of these ordinals: of dense blocks, and of the ordinals of the sparse blocks between them. */
function* readsOf(
  table: ReadTable,
  property: number,
  ordinals: Iterable<number>,
): Generator<() => Promise<Step>, void> {
  let sparse: number[] = [];
  const byKey = () =>
    [...batchesOf(sparse, KEYS_AT_ONCE)].map((batch) => () => readByKey(table, property, batch));
  for (const block of Map.groupBy(new Set(ordinals), blockOf).values()) {
    if (block.length < DENSE) {
      sparse.push(...block);
      continue;
    }
    yield* byKey();
    sparse = [];
    yield () => readBlock(table, property, block);
  }
  yield* byKey();
}

const readByKey = async (
  table: Pick<Table, 'getMany'>,
  property: number,
  ordinals: readonly number[],
): Promise<Step> => {
  const items = await table.getMany(ordinals.map((ordinal) => keys.profile(property, ordinal)));
  const found = ordinals.flatMap((ordinal, position) => {
    const item = items[position];
    return item ? [[ordinal, item] as const] : [];
  });
  return { found };
};

/** Reads a block from its first to its last wanted ordinal, or from behind a sort key. */
const readBlock = async (
  table: Pick<Table, 'query'>,
  property: number,
  ordinals: readonly number[],
  after?: string,
): Promise<Step> => {
  const places = ordinals.map((ordinal) => ({ ordinal, ...keys.profile(property, ordinal) }));
  const sorts = places.map(({ sk }) => sk).sort();
  const descending = (ordinals[0] ?? 0) > (ordinals.at(-1) ?? 0);
  const [from, to, pk] = [sorts[0], sorts.at(-1), places[0]?.pk];
  if (from === undefined || to === undefined || pk === undefined) return { found: [] };
  const { items, next } = await table.query(pk, { from, to, after, descending, work: workBudget(1) });
  const bySort = new Map(items.map((item) => [item.sk, item]));
  const found = places.flatMap(({ ordinal, sk }) => {
    const item = bySort.get(sk);
    return item ? [[ordinal, item] as const] : [];
  });
  return next === undefined ? { found } : { found, rest: () => readBlock(table, property, ordinals, next) };
};
