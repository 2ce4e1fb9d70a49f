/** Profile items: reads the items at many ordinals in the cheaper of two ways, a few megabytes at a time. */
import { mapAhead } from '../runtime/map-ahead.ts';
import { batchesOf } from '../runtime/pool.ts';
import { workBudget } from '../runtime/work-budget.ts';
import { blockOf, keys, PROFILES_PER_BLOCK } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { isStoredState } from './stored-state.ts';

/** A strongly consistent read bills 4 KB a unit: the sum of a query, but each item of a batch get for itself. */
const UNIT_BYTES = 4_096;

/**
 * Profiles that are read for each wanted one, at most. An item that nobody wants takes 3 µs of the function, a unit is
 * worth 5,000 µs: so the bound is there for the time of an answer and for the wire.
 */
const MOST_READ = 8;

/** Units that a query of a block must save. It is a call of its own, where up to 100 keys share one. */
const WORTH_A_QUERY = 8;

/** Wanted items of a block from which it is queried as long as nobody knows how large its profiles are. */
const DENSE = PROFILES_PER_BLOCK / 4;

/** Items that are read by key at once: those of one call, of 2 MB as a query; 24 MB while nobody knows their size. */
const KEYS_AT_ONCE = { unknown: DENSE, most: 100, bytes: 2_000_000 };

/** Reads under way at once. */
const PARALLEL = 4;

/** What reads have shown of the profiles of a property: sums over the latest items. */
interface Seen {
  readonly items: number;
  readonly bytes: number;
  /** Units of the items, each read by its key. */
  readonly units: number;
}

/** Items over which sizes are averaged: old ones fade, so that a property whose profiles grow is known soon. */
const REMEMBERED = PROFILES_PER_BLOCK;

/** Properties whose sizes a process remembers. */
const PROPERTIES = 1_000;

/**
 * How large the profiles of properties are, by the items that were read last. Nothing else in a process knows the size of
 * a profile before it is read. A wrong size does no harm: the dearer way is taken for one read, which shows the size.
 */
export class ProfileSizes {
  readonly #seen = new Map<number, Seen>();

  /** Notes the items that a read has shown. */
  note(property: number, items: readonly (StoredItem | undefined)[]): void {
    const sizes = items.flatMap((item) => (item ? [bytesOf(item)] : []));
    if (sizes.length === 0) return;
    const before = this.#seen.get(property) ?? { items: 0, bytes: 0, units: 0 };
    const kept = before.items > REMEMBERED ? 0.5 : 1;
    this.#seen.delete(property);
    this.#seen.set(property, {
      items: before.items * kept + sizes.length,
      bytes: before.bytes * kept + sum(sizes),
      units: before.units * kept + sum(sizes.map((bytes) => Math.max(Math.ceil(bytes / UNIT_BYTES), 1))),
    });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > PROPERTIES && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** Whether a query from the first to the last of these ordinals of a block is cheaper than to read each by its key. */
  isDense(property: number, ordinals: readonly number[]): boolean {
    const seen = this.#seen.get(property);
    if (!seen) return ordinals.length >= DENSE;
    const span = Math.max(...ordinals) - Math.min(...ordinals) + 1;
    const byQuery = Math.ceil((span * seen.bytes) / seen.items / UNIT_BYTES);
    const byKey = (ordinals.length * seen.units) / seen.items;
    return span <= MOST_READ * ordinals.length && byQuery + WORTH_A_QUERY <= byKey;
  }

  /** Items of a property that are read by key at once. */
  keysAtOnce(property: number): number {
    const seen = this.#seen.get(property);
    if (!seen) return KEYS_AT_ONCE.unknown;
    const fitting = Math.floor((KEYS_AT_ONCE.bytes * seen.items) / seen.bytes);
    return Math.max(Math.min(fitting, KEYS_AT_ONCE.most), 1);
  }
}

/** Bytes of an item besides its state and its pointers: keys, nonce, time and trace, with their names. */
const OTHER_BYTES = 100;

/** Bytes of a pointer in the list of a profile: of most, the hash of a phone number. */
const POINTER_BYTES = 45;

/** The billed size of an item, near enough: exact sizes take 0.7 µs an item, these 0.1 µs. */
const bytesOf = ({ state, phones, pointers }: StoredItem): number =>
  OTHER_BYTES +
  (isStoredState(state) ? Buffer.byteLength(state) : 0) +
  (Array.isArray(phones) ? phones.length * POINTER_BYTES : 0) +
  (Array.isArray(pointers) ? pointers.length * POINTER_BYTES : 0);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Items with their ordinals. */
type Found = readonly (readonly [ordinal: number, item: StoredItem])[];

/** The items of one read, and the read of the rest of its ordinals. */
interface Step {
  readonly found: Found;
  readonly rest?: () => Promise<Step>;
}

type ReadTable = Pick<Table, 'getMany' | 'query'>;

/** Where profiles are read, and what is known of their sizes. */
interface Source {
  readonly table: ReadTable;
  readonly property: number;
  readonly sizes: ProfileSizes;
}

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
 * The same items in steps, in the order of the ordinals if these ascend or descend. A block takes queries of two calls
 * each, so of 2 MB, where these cost less than its wanted items one by one; the other ordinals are read by key. The next
 * steps are read while the caller uses one, so about five steps are in memory, however many and however large the items
 * are. `sizes` is what earlier reads have shown; without it, only the reads of this call count.
 */
export async function* profileItems(
  table: ReadTable,
  property: number,
  ordinals: Iterable<number>,
  sizes: ProfileSizes = new ProfileSizes(),
): AsyncGenerator<Found, void> {
  const reads = readsOf({ table, property, sizes }, ordinals);
  for await (const first of mapAhead(reads, PARALLEL, (read) => read())) {
    for (let step: Step | undefined = first; step;) {
      const rest: Promise<Step> | undefined = step.rest?.();
      // A read that fails early is thrown in its turn, not as an unhandled rejection.
      rest?.catch(() => undefined);
      yield step.found;
      step = await rest;
    }
  }
}

/**
 * The reads of these ordinals: of dense blocks, and of the ordinals of the sparse blocks between them. Each is chosen when
 * its turn comes, by what the reads before it have shown.
 */
function* readsOf(source: Source, ordinals: Iterable<number>): Generator<() => Promise<Step>, void> {
  const { property, sizes } = source;
  let sparse: number[] = [];
  for (const block of Map.groupBy(new Set(ordinals), blockOf).values()) {
    const isDense = sizes.isDense(property, block);
    if (!isDense) sparse.push(...block);
    const least = isDense ? 1 : sizes.keysAtOnce(property);
    while (sparse.length >= least) {
      const [batch, rest] = cut(sparse, sizes.keysAtOnce(property));
      sparse = rest;
      yield () => readByKey(source, batch);
    }
    if (isDense) yield () => readBlock(source, block);
  }
  for (const batch of batchesOf(sparse, sizes.keysAtOnce(property))) yield () => readByKey(source, batch);
}

const cut = (ordinals: readonly number[], at: number): [first: number[], rest: number[]] => [
  ordinals.slice(0, at),
  ordinals.slice(at),
];

const readByKey = async ({ table, property, sizes }: Source, ordinals: readonly number[]): Promise<Step> => {
  const items = await table.getMany(ordinals.map((ordinal) => keys.profile(property, ordinal)));
  sizes.note(property, items);
  const found = ordinals.flatMap((ordinal, position) => {
    const item = items[position];
    return item ? [[ordinal, item] as const] : [];
  });
  return { found };
};

/** Reads a block from its first to its last wanted ordinal. */
const readBlock = async (source: Source, ordinals: readonly number[]): Promise<Step> => {
  const { table, property, sizes } = source;
  const places = ordinals.map((ordinal) => ({ ordinal, ...keys.profile(property, ordinal) }));
  const sorts = places.map(({ sk }) => sk).sort();
  const descending = (ordinals[0] ?? 0) > (ordinals.at(-1) ?? 0);
  const [from, to, pk] = [sorts[0], sorts.at(-1), places[0]?.pk];
  if (from === undefined || to === undefined || pk === undefined) return { found: [] };
  const { items, next } = await table.query(pk, { from, to, descending, work: workBudget(1) });
  sizes.note(property, items);
  const bySort = new Map(items.map((item) => [item.sk, item]));
  const found = places.flatMap(({ ordinal, sk }) => {
    const item = bySort.get(sk);
    return item ? [[ordinal, item] as const] : [];
  });
  if (next === undefined) return { found };
  const left = places.filter(({ sk }) => (descending ? sk < next : sk > next)).map(({ ordinal }) => ordinal);
  return left.length === 0 ? { found } : { found, rest: () => readRest(source, left) };
};

/** Reads on in a block whose first profiles were larger than expected, in the way that is now the cheaper one. */
const readRest = async (source: Source, ordinals: readonly number[]): Promise<Step> => {
  const { property, sizes } = source;
  if (sizes.isDense(property, ordinals)) return readBlock(source, ordinals);
  const [batch, left] = cut(ordinals, sizes.keysAtOnce(property));
  const { found } = await readByKey(source, batch);
  return left.length === 0 ? { found } : { found, rest: () => readRest(source, left) };
};
