/**
 * Pairs: the memberships that a writer announces, and an item of the journal names, as bytes. A pair stands alone or in a
 * block: many people enter and leave the same segments.
 */
import type { Pair } from '../catalogue/types.ts';
import { pushVarint, VarintReader } from '../runtime/varint.ts';
import { groupOf, ORDINALS_PER_GROUP } from '../table/keys.ts';

/** All pairs of these segments and these ordinals. */
export interface Block {
  readonly segments: readonly number[];
  readonly ordinals: readonly number[];
}

/** Memberships that may change. A pair may be there more than once. */
export type Pairs = readonly (Pair | Block)[];

/** The ordinals of a pair or a block. */
export const ordinalsOf = (one: Pair | Block): readonly number[] =>
  'ordinal' in one ? [one.ordinal] : one.ordinals;

/** A name of a pair, for sets and maps. */
export const pairName = ({ segment, ordinal }: Pair): string => `${segment} ${ordinal}`;

/** Each pair alone. */
export const singly = (pairs: Pairs): readonly Pair[] =>
  pairs.flatMap((one) =>
    'ordinal' in one
      ? [one]
      : one.ordinals.flatMap((ordinal) => one.segments.map((segment): Pair => ({ segment, ordinal }))),
  );

/** The first byte: the format. Release 0.2.0 reads lists alone, and has no conditions. */
const LIST = 1;
const BLOCKS = 2;

/**
 * Pairs by the group of their ordinal, as blocks in the order of their first segment: one for the single pairs of each
 * segment, and one for each list of segments. Lists that are the same array are one list. The segments and the ordinals of a
 * block ascend.
 */
const blocksByGroup = (pairs: Pairs): ReadonlyMap<number, readonly Block[]> => {
  const groups = new Map<number, Map<number | readonly number[], number[]>>();
  let [group, lists] = [-1, new Map<number | readonly number[], number[]>()];
  const add = (list: number | readonly number[], ordinal: number): void => {
    // Neighbours are nearly always in one group.
    if (groupOf(ordinal) !== group) {
      group = groupOf(ordinal);
      lists = groups.get(group) ?? new Map<number | readonly number[], number[]>();
      groups.set(group, lists);
    }
    const ordinals = lists.get(list);
    if (ordinals) ordinals.push(ordinal);
    else lists.set(list, [ordinal]);
  };
  for (const one of pairs) {
    if ('ordinal' in one) add(one.segment, one.ordinal);
    else if (one.segments.length > 0) for (const ordinal of one.ordinals) add(one.segments, ordinal);
  }
  return new Map([...groups].map(([each, own]) => [each, inOrder(own)]));
};

const inOrder = (lists: ReadonlyMap<number | readonly number[], readonly number[]>): readonly Block[] =>
  [...lists]
    .map(([list, ordinals]): Block => ({
      segments: typeof list === 'number' ? [list] : ascending(list),
      ordinals: ascending(ordinals),
    }))
    .sort((a, b) => (a.segments[0] ?? 0) - (b.segments[0] ?? 0));

const ascending = (numbers: readonly number[]): readonly number[] =>
  numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0))
    ? numbers
    : [...new Set(numbers)].sort((a, b) => a - b);

/** What an item of an entry names in a group, as bytes. */
export interface EncodedPairs {
  readonly group: number;
  readonly pairs: Uint8Array;
}

/**
 * Encodes pairs, group by group: about 1.5 bytes for a single pair, and less for the pairs of a block. Splits what takes more
 * than `maxBytes`.
 */
export const encodePairs = (pairs: Pairs, maxBytes: number): readonly EncodedPairs[] => {
  const encode = pairs.every((one) => 'ordinal' in one) ? encodeList : encodeAll;
  return [...blocksByGroup(pairs)].flatMap(([group, blocks]) =>
    piecesOf(blocks, encode, maxBytes).map((bytes) => ({ group, pairs: bytes })),
  );
};

const piecesOf = (blocks: readonly Block[], encode: Encode, maxBytes: number): readonly Uint8Array[] => {
  const bytes = encode(blocks);
  const halves = bytes.length > maxBytes ? halvesOf(blocks) : [];
  return halves.length < 2 ? [bytes] : halves.flatMap((half) => piecesOf(half, encode, maxBytes));
};

type Encode = (blocks: readonly Block[]) => Uint8Array;

/** Two halves of some blocks; of a single one, by ordinal, or else by segment. One half of what cannot be halved. */
const halvesOf = (blocks: readonly Block[]): readonly (readonly Block[])[] => {
  const [block, ...others] = blocks;
  if (!block || others.length > 0) return twoOf(blocks);
  const { segments, ordinals } = block;
  if (ordinals.length > 1) return twoOf(ordinals).map((half) => [{ segments, ordinals: half }]);
  return twoOf(segments).flatMap((half) => (half.length === 0 ? [] : [[{ segments: half, ordinals }]]));
};

const twoOf = <T>(list: readonly T[]): readonly (readonly T[])[] => {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
};

const offsetOf = (ordinal: number): number => ordinal % ORDINALS_PER_GROUP;

/** Appends the distance of each number from the one before it. */
const pushDistances = (bytes: number[], numbers: readonly number[], before: number): void => {
  let last = before;
  for (const number of numbers) {
    pushVarint(bytes, number - last);
    last = number;
  }
};

/** Of blocks with one segment each, as varints: the distance from the previous segment, the number of ordinals, and their distances. */
const encodeList: Encode = (blocks) => {
  const bytes = [LIST];
  let before = 0;
  for (const { segments, ordinals } of blocks) {
    const [segment = 0] = segments;
    pushVarint(bytes, segment - before);
    pushVarint(bytes, ordinals.length);
    pushDistances(bytes, ordinals.map(offsetOf), 0);
    before = segment;
  }
  return new Uint8Array(bytes);
};

/**
 * As varints: the offset of the lowest ordinal in the group, and for each block the number of its segments, the distance of
 * the first from that of the previous block, and the distances of the others; then twice the number of ordinals, the distance
 * of the first from the lowest, and the distances of the others. The number is odd where the others follow the first without
 * a gap: then they are not there.
 */
const encodeAll: Encode = (blocks) => {
  const lowest = blocks.reduce(
    (low, { ordinals }) => Math.min(low, offsetOf(ordinals[0] ?? low)),
    ORDINALS_PER_GROUP - 1,
  );
  const bytes = [BLOCKS];
  pushVarint(bytes, lowest);
  let before = 0;
  for (const { segments, ordinals } of blocks) {
    pushVarint(bytes, segments.length);
    pushDistances(bytes, segments, before);
    before = segments[0] ?? 0;
    const [first = 0] = ordinals;
    const hasGaps = first + ordinals.length - 1 !== ordinals.at(-1);
    pushVarint(bytes, 2 * ordinals.length + (hasGaps ? 0 : 1));
    pushDistances(bytes, (hasGaps ? ordinals : [first]).map(offsetOf), lowest);
  }
  return new Uint8Array(bytes);
};

/** The blocks that the bytes of a group name; throws when they are malformed. */
export const blocksIn = (bytes: Uint8Array, group: number): readonly Block[] => {
  const reader = new VarintReader(bytes, 1);
  const base = group * ORDINALS_PER_GROUP;
  if (bytes[0] === LIST) return listIn(reader, base);
  if (bytes[0] === BLOCKS) return allIn(reader, base);
  throw new Error('pairs: unknown format');
};

/** Reads so many numbers, each as its distance from the one before it. */
const distances = (reader: VarintReader, count: number, before: number): number[] => {
  const numbers: number[] = [];
  let last = before;
  for (let left = count; left > 0; left -= 1) {
    last += reader.next();
    numbers.push(last);
  }
  return numbers;
};

const listIn = (reader: VarintReader, base: number): readonly Block[] => {
  const blocks: Block[] = [];
  let segment = 0;
  while (!reader.done) {
    segment += reader.next();
    const ordinals = distances(reader, reader.next(), base);
    blocks.push(inGroup({ segments: [segment], ordinals }, base));
  }
  return blocks;
};

const allIn = (reader: VarintReader, base: number): readonly Block[] => {
  const blocks: Block[] = [];
  const lowest = base + reader.next();
  let before = 0;
  while (!reader.done) {
    const segments = distances(reader, reader.next(), before);
    before = segments[0] ?? before;
    const length = reader.next();
    const count = Math.floor(length / 2);
    if (count > ORDINALS_PER_GROUP) throw new Error('pairs: more ordinals than a group has');
    const ordinals = length % 2 === 0 ? distances(reader, count, lowest) : [];
    if (length % 2 === 1) {
      const first = lowest + reader.next();
      for (let ordinal = first; ordinal < first + count; ordinal += 1) ordinals.push(ordinal);
    }
    blocks.push(inGroup({ segments, ordinals }, base));
  }
  return blocks;
};

const inGroup = (block: Block, base: number): Block => {
  if ((block.ordinals.at(-1) ?? base) >= base + ORDINALS_PER_GROUP)
    throw new Error('pairs: an ordinal outside its group');
  return block;
};

/** The number of pairs that the bytes of a group name. */
export const countOfPairs = (bytes: Uint8Array, group: number): number =>
  blocksIn(bytes, group).reduce(
    (count, { segments, ordinals }) => count + segments.length * ordinals.length,
    0,
  );

/** What the bytes of a group name above an ordinal, as bytes of the same format. */
export const pairsBehind = (bytes: Uint8Array, group: number, ordinal: number): Uint8Array => {
  const rest = blocksIn(bytes, group).flatMap(({ segments, ordinals }) => {
    const left = ordinals.filter((one) => one > ordinal);
    return left.length === 0 ? [] : [{ segments, ordinals: left }];
  });
  return (bytes[0] === LIST ? encodeList : encodeAll)(rest);
};

/** Whether the bytes of a group name an ordinal above this one. */
export const reachesBehind = (bytes: Uint8Array, group: number, ordinal: number): boolean =>
  blocksIn(bytes, group).some(({ ordinals }) => (ordinals.at(-1) ?? ordinal) > ordinal);
