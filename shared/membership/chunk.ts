/** Chunk: a bitmap of 4,096 neighbouring ordinals, and its encoding; one item of a segment's membership index. */
import * as v from 'valibot';
import { ORDINALS_PER_CHUNK } from '../table/keys.ts';
import type { StoredItem } from '../table/table.ts';

/** Bits of one word. */
const WORD = 32;
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
  (((bits[Math.floor(offset / WORD)] ?? 0) >>> (offset % WORD)) & 1) === 1;

/** Sets or clears one member in place. */
export const setBit = (bits: Bits, offset: number, member: boolean): void => {
  if (!(offset >= 0 && offset < ORDINALS_PER_CHUNK)) throw new RangeError('chunk: offset outside the chunk');
  const word = Math.floor(offset / WORD);
  const mask = 1 << (offset % WORD);
  bits[word] = member ? (bits[word] ?? 0) | mask : (bits[word] ?? 0) & ~mask;
};

export const and = (a: Bits, b: Bits): Bits => a.map((word, index) => word & (b[index] ?? 0));
export const or = (a: Bits, b: Bits): Bits => a.map((word, index) => word | (b[index] ?? 0));
export const andNot = (a: Bits, b: Bits): Bits => a.map((word, index) => word & ~(b[index] ?? 0));

/** The number of members. */
export const countBits = (bits: Bits): number => {
  let count = 0;
  for (const word of bits) {
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
  const offsets = offsetsFrom(bits);
  const asList = offsets.length * LIST_ENTRY_BYTES < BITSET_BYTES;
  const bytes = new Uint8Array(1 + (asList ? offsets.length * LIST_ENTRY_BYTES : BITSET_BYTES));
  const view = new DataView(bytes.buffer);
  view.setUint8(0, asList ? LIST : BITSET);
  if (asList) offsets.forEach((offset, index) => view.setUint16(1 + index * LIST_ENTRY_BYTES, offset, true));
  else bits.forEach((word, index) => view.setUint32(1 + index * 4, word, true));
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
