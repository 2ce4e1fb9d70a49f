/**
 * Chunks and directories: the items of a segment in the membership index. A chunk is a bitmap of 4,096 neighbouring
 * ordinals. The directory names the groups of ordinals in which the segment may have members.
 */
import * as v from 'valibot';
import { ORDINALS_PER_CHUNK, keys } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Pause } from '../runtime/pause.ts';
import { retryRemaining } from '../runtime/retry.ts';
import { limits } from '../config/limits.ts';
import { mapAhead } from '../runtime/map-ahead.ts';
import { allItems } from '../table/all-items.ts';

/** Bits of one word: two to the fifth. */
const WORD = 32;
const WORD_BITS = 5;
const WORDS = ORDINALS_PER_CHUNK / WORD;
const BITSET_BYTES = ORDINALS_PER_CHUNK / 8;

/**
 * The first byte of a stored chunk names its encoding. It also keeps the value from being empty, which DynamoDB does
 * not store.
 */
const LIST = 1;
const BITSET = 2;
const LIST_ENTRY_BYTES = 2;

/** The members of one chunk: a bitmap of 4,096 bits in 128 words, lowest first. */
export type Bits = Uint32Array;

export const noBits = (): Bits => new Uint32Array(WORDS);

/** A bitmap with these members. */
export const bitsOf = (offsets: Iterable<number>): Bits => {
  const bits = noBits();
  for (const offset of offsets) setBit(bits, offset, true);
  return bits;
};

export const hasBit = (bits: Bits, offset: number): boolean =>
  (((bits[offset >>> WORD_BITS] ?? 0) >>> (offset % WORD)) & 1) === 1;

/** Sets or clears one member in place. */
export const setBit = (bits: Bits, offset: number, member: boolean): void => {
  if (!(offset >= 0 && offset < ORDINALS_PER_CHUNK)) throw new RangeError('chunk: offset outside the chunk');
  const word = offset >>> WORD_BITS;
  const mask = 1 << (offset % WORD);
  bits[word] = member ? (bits[word] ?? 0) | mask : (bits[word] ?? 0) & ~mask;
};

export const and = (a: Bits, b: Bits): Bits => a.map((word, index) => word & (b[index] ?? 0));
export const or = (a: Bits, b: Bits): Bits => a.map((word, index) => word | (b[index] ?? 0));

/** Adds the members of a bitmap to another in place. */
export const orInto = (bits: Bits, more: Bits): void => {
  for (let index = 0; index < WORDS; index += 1) bits[index] = (bits[index] ?? 0) | (more[index] ?? 0);
};
export const xor = (a: Bits, b: Bits): Bits => a.map((word, index) => word ^ (b[index] ?? 0));
export const andNot = (a: Bits, b: Bits): Bits => a.map((word, index) => word & ~(b[index] ?? 0));

export const isEmpty = (bits: Bits): boolean => bits.every((word) => word === 0);

/** The number of members. */
export const countBits = (bits: Bits): number => {
  let count = 0;
  // By index: an iterator makes garbage of each word, and this runs for very many chunks.
  for (let index = 0; index < bits.length; index += 1) {
    const word = bits[index] ?? 0;
    let x = word - ((word >>> 1) & 0x55555555);
    x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
    count += Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
};

/** The offsets of the members, ascending, from `from` on. */
export const offsetsFrom = (bits: Bits, from = 0): readonly number[] => {
  const found: number[] = [];
  for (let index = Math.floor(from / WORD); index < WORDS; index += 1) {
    let word = bits[index] ?? 0;
    if (index * WORD < from) word &= -1 << (from % WORD);
    for (; word !== 0; word &= word - 1) found.push(index * WORD + 31 - Math.clz32(word & -word));
  }
  return found;
};

/**
 * Encodes a chunk, like a container of a roaring bitmap: a sorted list of 16-bit offsets while that is shorter,
 * otherwise a bitset; both little-endian. At most 513 bytes, so that an item stays below 1 KB and costs one write unit.
 */
export const encodeChunk = (bits: Bits): Uint8Array => {
  const listBytes = countBits(bits) * LIST_ENTRY_BYTES;
  const asList = listBytes < BITSET_BYTES;
  const bytes = new Uint8Array(1 + (asList ? listBytes : BITSET_BYTES));
  const view = new DataView(bytes.buffer);
  view.setUint8(0, asList ? LIST : BITSET);
  if (asList) {
    offsetsFrom(bits).forEach((offset, index) => {
      view.setUint16(1 + index * LIST_ENTRY_BYTES, offset, true);
    });
  } else {
    bits.forEach((word, index) => view.setUint32(1 + index * 4, word, true));
  }
  return bytes;
};

/** Decodes a chunk; throws on bytes that `encodeChunk` does not produce. */
export const decodeChunk = (bytes: Uint8Array): Bits => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length - 1;
  if (bytes[0] === BITSET && length === BITSET_BYTES) return decodeBitset(view);
  if (bytes[0] === LIST && length % LIST_ENTRY_BYTES === 0 && length < BITSET_BYTES) return decodeList(view);
  throw new Error('chunk: unknown form');
};

const decodeBitset = (view: DataView): Bits => {
  const bits = noBits().map((_, index) => view.getUint32(1 + index * 4, true));
  if (countBits(bits) * LIST_ENTRY_BYTES < BITSET_BYTES) throw new Error('chunk: a bitset that is too empty');
  return bits;
};

const decodeList = (view: DataView): Bits => {
  const bits = noBits();
  let last = -1;
  for (let at = 1; at < view.byteLength; at += LIST_ENTRY_BYTES) {
    const offset = view.getUint16(at, true);
    if (offset <= last) throw new Error('chunk: a list out of order');
    setBit(bits, offset, true);
    last = offset;
  }
  return bits;
};

const chunkItem = v.object({ members: v.instance(Uint8Array) });

/** The members in the item of a chunk; none when there is no item. */
export const membersIn = (item: StoredItem | undefined): Bits =>
  item ? decodeChunk(v.parse(chunkItem, item).members) : noBits();

const GROUP_BYTES = 4;

/** Segments whose groups a writer caches. A directory never loses a group. */
const CACHED = 20_000;

const directoryItem = v.object({ w: v.string(), groups: v.instance(Uint8Array) });

/** The groups in the directory of a segment, ascending. */
const groupsOf = (item: StoredItem | undefined): readonly number[] => {
  if (!item) return [];
  const { groups } = v.parse(directoryItem, item);
  const view = new DataView(groups.buffer, groups.byteOffset, groups.byteLength);
  return Array.from({ length: groups.byteLength / GROUP_BYTES }, (_, index) =>
    view.getUint32(index * GROUP_BYTES, true),
  );
};

const encodeGroups = (groups: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(groups.length * GROUP_BYTES);
  const view = new DataView(bytes.buffer);
  groups.forEach((group, index) => view.setUint32(index * GROUP_BYTES, group, true));
  return bytes;
};

/** Groups by segment, read from their directories. */
export const readDirectories = async (
  table: Table,
  property: number,
  segments: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> => {
  const items = await table.getMany(segments.map((segment) => keys.directory(property, segment)));
  return new Map(segments.map((segment, index) => [segment, groupsOf(items[index])]));
};

/** Adds groups to directories. A group is added before its first chunk is written, so that readers find every chunk. */
export interface DirectoryWriter {
  ensure(property: number, wanted: ReadonlyMap<number, ReadonlySet<number>>): Promise<void>;
}

export interface DirectoryDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/** A writer that caches the groups that it has seen in directories. */
export const directoryWriter = ({ table, pause }: DirectoryDeps): DirectoryWriter => {
  const known = new BoundedMap<number, ReadonlySet<number>>(CACHED);
  return {
    ensure: async (property, wanted) => {
      const missing: readonly MissingGroups[] = [...wanted].filter(([segment, groups]) => {
        const entered = known.get(segment);
        return [...groups].some((group) => entered?.has(group) !== true);
      });
      await retryRemaining({ pause, what: 'membership: directories' }, missing, (left) =>
        addGroups(table, property, left, known),
      );
    },
  };
};

type MissingGroups = readonly [segment: number, groups: ReadonlySet<number>];

/** Tries once to add the missing groups; returns the segments whose directory another writer has changed in between. */
const addGroups = async (
  table: Table,
  property: number,
  wanted: readonly MissingGroups[],
  known: BoundedMap<number, ReadonlySet<number>>,
): Promise<readonly MissingGroups[]> => {
  const items = await table.getMany(wanted.map(([segment]) => keys.directory(property, segment)));
  const steps = wanted.map((one, index) => {
    const [segment, groups] = one;
    const stored = new Set(groupsOf(items[index]));
    const all = new Set([...stored, ...groups]);
    const write = all.size === stored.size ? undefined : writeOf(property, segment, all, items[index]);
    return { one, all, write };
  });
  const writes = steps.flatMap(({ write }) => write ?? []);
  const outcomes = await table.writeMany(writes);
  const refused = new Set(writes.filter((_, index) => outcomes[index] === 'refused'));
  return steps.flatMap(({ one, all, write }) => {
    if (write && refused.has(write)) return [one];
    known.set(one[0], all);
    return [];
  });
};

const writeOf = (
  property: number,
  segment: number,
  groups: ReadonlySet<number>,
  item: StoredItem | undefined,
): Write => {
  const key = keys.directory(property, segment);
  const set = { groups: encodeGroups([...groups].sort((a, b) => a - b)) };
  return item ? { kind: 'update', key, set, expect: { w: item.w } } : { kind: 'insert', key, set };
};

/**
 * The attribute of a chunk that nobody writes to without a look at its segment. The deletion of a value segment seals all
 * its chunks, so that no indexer writes a chunk that it read before. An indexer also inserts new chunks as sealed.
 */
export const sealed = { sealed: true } as const;

/** The attribute of a chunk that is written after such a look. */
export const unsealed = { sealed: null } as const;

export const isSealed = (item: StoredItem | undefined): boolean => item?.['sealed'] === true;

const hasMembers = (item: StoredItem): boolean => !isEmpty(membersIn(item));

/** The chunks of a segment, group by group. The next groups are read ahead. */
async function* chunksByGroup(
  table: Table,
  property: number,
  segment: number,
): AsyncGenerator<readonly StoredItem[]> {
  const groups = (await readDirectories(table, property, [segment])).get(segment) ?? [];
  yield* mapAhead(groups, limits.segments.groupsAtOnce, (group) =>
    allItems(table, keys.chunk(property, segment, group, 0).pk),
  );
}

/** Whether the index has a member of a segment. Reads up to the first one. */
export const hasMember = async (table: Table, property: number, segment: number): Promise<boolean> => {
  for await (const chunks of chunksByGroup(table, property, segment))
    if (chunks.some(hasMembers)) return true;
  return false;
};

/**
 * Seals the chunks of a segment. `members`: one of them has members. `conflict`: an indexer wrote to one of them at the
 * same time.
 */
export const sealChunks = async (
  table: Table,
  property: number,
  segment: number,
): Promise<'sealed' | 'members' | 'conflict'> => {
  for await (const chunks of chunksByGroup(table, property, segment)) {
    if (chunks.some(hasMembers)) return 'members';
    // Sealed chunks are written as well: the new nonce refuses an indexer that looked at the segment before.
    const writes = chunks.map(({ pk, sk, w }): Write => {
      return { kind: 'update', key: { pk, sk }, set: sealed, expect: { w } };
    });
    if ((await table.writeMany(writes)).includes('refused')) return 'conflict';
  }
  return 'sealed';
};

/** Removes the chunks and the directory of a deleted segment. */
export const removeChunks = async (table: Table, property: number, segment: number): Promise<void> => {
  for await (const chunks of chunksByGroup(table, property, segment))
    await table.writeMany(chunks.map(({ pk, sk }) => ({ kind: 'delete', key: { pk, sk }, expect: {} })));

  await table.write({ kind: 'delete', key: keys.directory(property, segment), expect: {} });
};
