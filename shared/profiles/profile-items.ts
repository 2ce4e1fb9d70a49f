/** Profile items: reads the items at many ordinals in the cheaper of two ways. */
import { mapLimited } from '../runtime/pool.ts';
import { blockOf, keys, PROFILES_PER_BLOCK } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';

/**
 * The number of wanted items in a block from which a query is cheaper. A batch get bills at least
 * 4 KB for each item, a query bills the bytes: with profiles of 1 KB, 256 profiles by query cost as much as 64 by key.
 */
const DENSE = PROFILES_PER_BLOCK / 4;

/** Reads at once: of dense blocks, or of all sparse blocks together. */
const PARALLEL = 4;

/** Items by their ordinals. */
type Found = readonly (readonly [ordinal: number, item: StoredItem])[];

/**
 * The items at these ordinals, read strongly. An ordinal without an item is absent. A block of which a quarter or
 * more is wanted takes one query; the other ordinals are read by key.
 */
export const readProfileItems = async (
  table: Pick<Table, 'getMany' | 'query'>,
  property: number,
  ordinals: Iterable<number>,
): Promise<ReadonlyMap<number, StoredItem>> => {
  const blocks = Map.groupBy(new Set(ordinals), blockOf);
  const wanted = [...blocks.values()];
  const sparse = wanted.filter(({ length }) => length < DENSE).flat();
  const reads = wanted
    .filter(({ length }) => length >= DENSE)
    .map((block) => () => readBlock(table, property, block));
  if (sparse.length > 0) reads.push(() => readByKey(table, property, sparse));
  const found = await mapLimited(reads, PARALLEL, (read) => read());
  return new Map(found.flat());
};

const readByKey = async (
  table: Pick<Table, 'getMany'>,
  property: number,
  ordinals: readonly number[],
): Promise<Found> => {
  const items = await table.getMany(ordinals.map((ordinal) => keys.profile(property, ordinal)));
  return ordinals.flatMap((ordinal, position) => {
    const item = items[position];
    return item ? [[ordinal, item] as const] : [];
  });
};

/** Reads a block from its first to its last wanted ordinal. */
const readBlock = async (
  table: Pick<Table, 'query'>,
  property: number,
  ordinals: readonly number[],
): Promise<Found> => {
  const places = ordinals.map((ordinal) => ({ ordinal, ...keys.profile(property, ordinal) }));
  const sorts = places.map(({ sk }) => sk).sort();
  const [from, to, pk] = [sorts[0], sorts.at(-1), places[0]?.pk];
  if (from === undefined || to === undefined || pk === undefined) return [];
  const { items } = await table.query(pk, { from, to });
  const bySort = new Map(items.map((item) => [item.sk, item]));
  return places.flatMap(({ ordinal, sk }) => {
    const item = bySort.get(sk);
    return item ? [[ordinal, item] as const] : [];
  });
};
