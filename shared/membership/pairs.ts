/**
 * Pairs: the memberships that an item of the journal names, as bytes. Two formats: a list of single pairs, and a block of all
 * pairs of some segments and a range of ordinals.
 */
import type { Pair } from '../catalogue/types.ts';
import { batchesOf } from '../runtime/pool.ts';
import { pushVarint, VarintReader } from '../runtime/varint.ts';
import { groupOf, ORDINALS_PER_GROUP } from '../table/keys.ts';

/** All pairs of these segments and of the ordinals from `from` to `to`, both included, which are in one group. */
export interface Block {
  readonly segments: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** The first byte: the format. */
const LIST = 1;
const BLOCK = 2;

/** Bounds of an encoded block: its pairs, a quarter of what one pass of a drainer reads, and its segments, 8 KB at most. */
const PAIRS_PER_BLOCK = 2 ** 20;
const SEGMENTS_PER_BLOCK = 1_000;

/** Bytes of a pair in a list, about. */
const BYTES_PER_PAIR = 1.5;

export type PairVisitor = (segment: number, ordinal: number) => void;

/** Pairs of one group: the ordinals of each segment. Segments and ordinals ascend, and no pair is there twice. */
type ListedPairs = ReadonlyMap<number, readonly number[]>;

/**
 * Distinct pairs by the group of their ordinal. Only segments are sorted: a batch has many pairs of few segments, and most
 * writers name their people in order.
 */
export const pairsByGroup = (pairs: readonly Pair[]): ReadonlyMap<number, ListedPairs> => {
  const groups = new Map<number, Map<number, number[]>>();
  let [group, segments] = [-1, new Map<number, number[]>()];
  for (const { segment, ordinal } of pairs) {
    // Neighbours are nearly always in one group.
    if (groupOf(ordinal) !== group) {
      group = groupOf(ordinal);
      segments = groups.get(group) ?? new Map<number, number[]>();
      groups.set(group, segments);
    }
    const ordinals = segments.get(segment);
    if (ordinals) ordinals.push(ordinal);
    else segments.set(segment, [ordinal]);
  }
  return new Map([...groups].map(([each, own]) => [each, inOrder(own)]));
};

const inOrder = (segments: ListedPairs): ListedPairs =>
  new Map(
    [...segments].sort(([a], [b]) => a - b).map(([segment, ordinals]) => [segment, ascending(ordinals)]),
  );

const ascending = (ordinals: readonly number[]): readonly number[] =>
  ordinals.every((ordinal, at) => at === 0 || ordinal > (ordinals[at - 1] ?? 0))
    ? ordinals
    : [...new Set(ordinals)].sort((a, b) => a - b);

/**
 * Encodes pairs of one group, delta-encoded as varints: for each segment the distance from the previous segment, the number
 * of ordinals, and the distance of each ordinal from the previous ordinal. About 1.5 bytes a pair. Splits lists that are
 * longer than `maxBytes`.
 */
export const encodePairs = (pairs: ListedPairs, maxBytes: number): readonly Uint8Array[] => {
  const bytes = encodeList(pairs);
  const halves = bytes.length > maxBytes ? halvesOf([...pairs]) : [];
  return halves.length < 2 ? [bytes] : halves.flatMap((half) => encodePairs(half, maxBytes));
};

/** Two halves of some lists, by segment; of a single one, by ordinal. One half of what cannot be halved. */
const halvesOf = (lists: readonly (readonly [number, readonly number[]])[]): readonly ListedPairs[] => {
  if (lists.length > 1) return twoOf(lists).map((half) => new Map(half));
  return lists.flatMap(([segment, ordinals]) =>
    twoOf(ordinals).flatMap((half) => (half.length === 0 ? [] : new Map([[segment, half]]))),
  );
};

const twoOf = <T>(list: readonly T[]): readonly (readonly T[])[] => {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
};

const encodeList = (pairs: ListedPairs): Uint8Array => {
  const bytes = [LIST];
  let before = 0;
  for (const [segment, ordinals] of pairs) {
    pushVarint(bytes, segment - before);
    pushVarint(bytes, ordinals.length);
    before = segment;
    let last = 0;
    for (const ordinal of ordinals) {
      const offset = ordinal % ORDINALS_PER_GROUP;
      pushVarint(bytes, offset - last);
      last = offset;
    }
  }
  return Uint8Array.from(bytes);
};

/**
 * Encodes a block as varints: the number of segments, the distance of each from the previous segment, the offset of the
 * first ordinal in its group, and the number of ordinals. Splits a block that has more than a million pairs, because a
 * drainer expands the blocks that it reads. Throws unless the ordinals are of one group.
 */
export const encodeBlock = ({ segments, from, to }: Block): readonly Uint8Array[] => {
  if (from > to || groupOf(from) !== groupOf(to)) throw new Error('pairs: a block outside one group');
  const distinct = [...new Set(segments)].sort((a, b) => a - b);
  return [...batchesOf(distinct, SEGMENTS_PER_BLOCK)].flatMap((some) => {
    const length = Math.floor(PAIRS_PER_BLOCK / some.length);
    const pieces: Uint8Array[] = [];
    for (let first = from; first <= to; first += length)
      pieces.push(encodeOne({ segments: some, from: first, to: Math.min(to, first + length - 1) }));
    return pieces;
  });
};

/** The bytes of a block whose segments ascend. */
const encodeOne = ({ segments, from, to }: Block): Uint8Array => {
  const bytes = [BLOCK];
  pushVarint(bytes, segments.length);
  for (const [at, segment] of segments.entries()) pushVarint(bytes, segment - (segments[at - 1] ?? 0));
  pushVarint(bytes, from % ORDINALS_PER_GROUP);
  pushVarint(bytes, to - from + 1);
  return Uint8Array.from(bytes);
};

/** Visits each pair that the bytes of a group name; throws when they are malformed. */
export const visitPairs = (bytes: Uint8Array, group: number, visit: PairVisitor): void => {
  const block = blockIn(bytes, group);
  if (!block) {
    visitList(bytes, group, visit);
    return;
  }
  const { segments, from, to } = block;
  for (const segment of segments)
    for (let ordinal = from; ordinal <= to; ordinal += 1) visit(segment, ordinal);
};

/** Visits the pairs that the bytes of a group name with some ordinals, without a look at the other ordinals of a block. */
export const visitPairsOf = (
  bytes: Uint8Array,
  group: number,
  ordinals: ReadonlySet<number>,
  visit: PairVisitor,
): void => {
  const block = blockIn(bytes, group);
  if (!block) {
    visitList(bytes, group, (segment, ordinal) => {
      if (ordinals.has(ordinal)) visit(segment, ordinal);
    });
    return;
  }
  const { segments, from, to } = block;
  for (const ordinal of ordinals)
    if (ordinal >= from && ordinal <= to) for (const segment of segments) visit(segment, ordinal);
};

/** The block that the bytes of a group are; undefined for a list. Throws when it is malformed. */
export const blockIn = (bytes: Uint8Array, group: number): Block | undefined => {
  if (bytes[0] !== BLOCK) return undefined;
  const reader = new VarintReader(bytes, 1);
  const segments: number[] = [];
  let segment = 0;
  for (let left = reader.next(); left > 0; left -= 1) {
    segment += reader.next();
    segments.push(segment);
  }
  const offset = reader.next();
  const length = reader.next();
  if (offset + length > ORDINALS_PER_GROUP) throw new Error('pairs: an ordinal outside its group');
  if (!reader.done) throw new Error('pairs: bytes behind a block');
  const from = group * ORDINALS_PER_GROUP + offset;
  return { segments, from, to: from + length - 1 };
};

const visitList = (bytes: Uint8Array, group: number, visit: PairVisitor): void => {
  if (bytes[0] !== LIST) throw new Error('pairs: unknown format');
  const base = group * ORDINALS_PER_GROUP;
  const reader = new VarintReader(bytes, 1);
  let segment = 0;
  while (!reader.done) {
    segment += reader.next();
    let offset = 0;
    for (let left = reader.next(); left > 0; left -= 1) {
      offset += reader.next();
      if (offset >= ORDINALS_PER_GROUP) throw new Error('pairs: an ordinal outside its group');
      visit(segment, base + offset);
    }
  }
};

/** The number of pairs that the bytes of a group name: exact for a block, about right for a list. */
export const countOfPairs = (bytes: Uint8Array, group: number): number => {
  const block = blockIn(bytes, group);
  return block ? block.segments.length * (block.to - block.from + 1) : bytes.length / BYTES_PER_PAIR;
};

/** What the bytes of a group name above an ordinal, as bytes of the same format. */
export const pairsBehind = (bytes: Uint8Array, group: number, ordinal: number): Uint8Array => {
  const block = blockIn(bytes, group);
  if (block && block.to > ordinal) return encodeOne({ ...block, from: Math.max(block.from, ordinal + 1) });
  const rest: Pair[] = [];
  if (!block) {
    visitList(bytes, group, (segment, other) => {
      if (other > ordinal) rest.push({ segment, ordinal: other });
    });
  }
  return encodeList(pairsByGroup(rest).get(group) ?? new Map());
};

/** Whether the bytes of a group name an ordinal above this one. */
export const reachesBehind = (bytes: Uint8Array, group: number, ordinal: number): boolean => {
  const block = blockIn(bytes, group);
  let reaches = block !== undefined && block.to > ordinal;
  if (!block) {
    visitList(bytes, group, (_, other) => {
      reaches ||= other > ordinal;
    });
  }
  return reaches;
};
