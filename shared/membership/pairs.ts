/** Pairs: the compact encoding of (segment, ordinal) pairs in journal entries. */
import { groupOf, ORDINALS_PER_GROUP } from '../table/keys.ts';
import type { Pair } from '../catalogue/types.ts';
import { pushVarint, VarintReader } from '../runtime/varint.ts';

/** The first byte of an encoded list of pairs: the version of the format. */
const FORMAT = 1;

export type PairVisitor = (segment: number, ordinal: number) => void;

/** Distinct pairs by the group of their ordinal. */
export const pairsByGroup = (pairs: readonly Pair[]): ReadonlyMap<number, readonly Pair[]> =>
  Map.groupBy(sorted(pairs), ({ ordinal }) => groupOf(ordinal));

/** Distinct pairs in order of segment, then ordinal. */
const sorted = (pairs: readonly Pair[]): readonly Pair[] =>
  [...pairs]
    .sort((a, b) => a.segment - b.segment || a.ordinal - b.ordinal)
    .filter(
      (pair, at, all) => pair.segment !== all[at - 1]?.segment || pair.ordinal !== all[at - 1]?.ordinal,
    );

/**
 * Encodes the sorted, distinct pairs of one group, delta-encoded as varints: for each segment the distance from the
 * previous segment, the number of ordinals, and the distance of each ordinal from the previous ordinal. About 1.5 bytes
 * a pair. Splits lists that are longer than `maxBytes`.
 */
export const encodePairs = (pairs: readonly Pair[], maxBytes: number): readonly Uint8Array[] => {
  const bytes = encode(pairs);
  if (bytes.length <= maxBytes || pairs.length < 2) return [bytes];
  const middle = Math.ceil(pairs.length / 2);
  return [pairs.slice(0, middle), pairs.slice(middle)].flatMap((half) => encodePairs(half, maxBytes));
};

/** The pairs of an encoded list above an ordinal, encoded. */
export const pairsBehind = (bytes: Uint8Array, group: number, ordinal: number): Uint8Array => {
  const rest: Pair[] = [];
  visitPairs(bytes, group, (segment, other) => {
    if (other > ordinal) rest.push({ segment, ordinal: other });
  });
  return encode(rest);
};

/** Whether an encoded list contains an ordinal above this one. */
export const reachesBehind = (bytes: Uint8Array, group: number, ordinal: number): boolean => {
  let reaches = false;
  visitPairs(bytes, group, (_, other) => {
    reaches ||= other > ordinal;
  });
  return reaches;
};

const encode = (pairs: readonly Pair[]): Uint8Array => {
  const bytes = [FORMAT];
  let before = 0;
  for (const [segment, members] of Map.groupBy(pairs, (pair) => pair.segment)) {
    pushVarint(bytes, segment - before);
    pushVarint(bytes, members.length);
    before = segment;
    let last = 0;
    for (const { ordinal } of members) {
      const offset = ordinal % ORDINALS_PER_GROUP;
      pushVarint(bytes, offset - last);
      last = offset;
    }
  }
  return Uint8Array.from(bytes);
};

/** Visits each pair of an encoded list; throws when the list is malformed. */
export const visitPairs = (bytes: Uint8Array, group: number, visit: PairVisitor): void => {
  if (bytes[0] !== FORMAT) throw new Error('pairs: unknown format');
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
