import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pair } from '../../shared/catalogue/types.ts';
import {
  blocksIn,
  countOfPairs,
  encodePairs,
  pairsBehind,
  reachesBehind,
  singly,
  type Block,
} from '../../shared/membership/pairs.ts';
import { ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { blockOf } from '../support/blocks.ts';

const pair = fc.record({
  segment: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.maxSafeNat()),
  ordinal: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 2 ** 40 })),
});
const nameOf = ({ segment, ordinal }: Pair): string => `${segment} ${ordinal}`;
const namesOf = (pairs: readonly Pair[]): readonly string[] => [...new Set(pairs.map(nameOf))].sort();

const decoded = (pieces: readonly Uint8Array[], group: number): readonly Pair[] =>
  pieces.flatMap((piece) => singly(blocksIn(piece, group)));

/** The bytes of pairs of group 0. */
const bytesOf = (pairs: readonly (Pair | Block)[]): Uint8Array => {
  const [piece, ...others] = encodePairs(pairs, 200_000);
  if (piece?.group !== 0 || others.length > 0) throw new Error('not one piece of group 0');
  return piece.pairs;
};

describe('the pairs of a journal entry', () => {
  it('survive encoding, each exactly once, in pieces within the size limit', () => {
    fc.assert(
      fc.property(fc.array(pair), fc.integer({ min: 20, max: 200 }), (pairs, maxBytes) => {
        const pieces = encodePairs([...pairs, ...pairs], maxBytes);
        expect(pieces.every(({ pairs: { length } }) => length <= maxBytes)).toBe(true);
        const found = pieces.flatMap(({ group, pairs: bytes }) => decoded([bytes], group));
        expect(found.map(nameOf).sort()).toEqual([...new Set(pairs.map(nameOf))].sort());
      }),
    );
  });

  it('are read by release 0.2.0 where none is in a block: its format, byte for byte', () => {
    const pairs = [
      { segment: 9, ordinal: 300 },
      { segment: 5, ordinal: 3 },
      { segment: 9, ordinal: 7 },
    ];
    expect([...bytesOf(pairs)]).toEqual([1, 5, 1, 3, 4, 2, 7, 165, 2]);
    expect([...bytesOf([...pairs, { segments: [5], ordinals: [4] }])]).toEqual([
      2, 3, 1, 5, 3, 0, 1, 0, 3, 1, 1, 4, 4, 4, 165, 2,
    ]);
  });

  it('take about a byte and a half each', () => {
    const pairs = Array.from({ length: 5_000 }, (_, index) => ({
      segment: 3_000_000_001 + (index % 10),
      ordinal: Math.floor(index / 10),
    }));
    expect(bytesOf(pairs).length).toBeLessThan(1.6 * pairs.length);
  });

  it('take less in blocks: each list of segments is there once', () => {
    const lists = [0, 1, 2].map((list) =>
      Array.from({ length: 50 }, (_, at) => 3_000_000_001 + list + 3 * at),
    );
    const people = Array.from({ length: 400 }, (_, ordinal): Block => ({
      segments: lists[ordinal % 3] ?? [],
      ordinals: [ordinal],
    }));
    expect(bytesOf(people).length).toBeLessThan(1.5 * people.length);
    expect(countOfPairs(bytesOf(people), 0)).toBe(400 * 50);
  });

  it.each([
    ['an unknown format', [9]],
    ['nothing', []],
    ['a cut list', [1, 5, 2, 3]],
    ['an overlong number', [1, ...new Uint8Array(9).fill(255)]],
    ['an ordinal outside the group', [1, 5, 1, 128, 128, 16]],
    ['blocks that are cut', [2, 0, 2, 5, 1, 4, 0]],
    ['a block without a gap that ends outside the group', [2, 0, 1, 5, 5, 255, 255, 15]],
    ['a block with more ordinals than a group has', [2, 0, 1, 5, 131, 128, 32, 0]],
  ])('cannot be decoded from %s', (_, bytes) => {
    expect(() => decoded([Uint8Array.from(bytes)], 0)).toThrow();
  });
});

/** What an entry may name in group 1: single pairs, and blocks of ordinals with and without gaps. */
const first = ORDINALS_PER_GROUP;
const near = fc.integer({ min: first, max: first + 100 });
const segments = fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.maxSafeNat()), { minLength: 1 });
const named = fc.array(
  fc.oneof(
    fc.record({ segment: fc.integer({ min: 1, max: 50 }), ordinal: near }),
    fc.record({ segments, ordinals: fc.array(near) }),
    fc
      .tuple(segments, near, fc.integer({ min: 0, max: 60 }))
      .map(([list, from, more]) => blockOf(list, from, from + more)),
  ),
);

describe('what a journal entry names, single pairs and blocks', () => {
  const mixed = (check: (pieces: readonly Uint8Array[], all: readonly Pair[]) => void): void => {
    fc.assert(
      fc.property(named, fc.constantFrom(60, 200_000), (pairs, maxBytes) => {
        const pieces = encodePairs(pairs, maxBytes);
        check(
          pieces.map(({ pairs: bytes }) => bytes),
          singly(pairs),
        );
      }),
    );
  };

  it('is read as it was written', () => {
    mixed((pieces, all) => {
      expect(namesOf(decoded(pieces, 1))).toEqual(namesOf(all));
    });
  });

  it('is counted', () => {
    mixed((pieces) => {
      const counts = pieces.map((piece) => countOfPairs(piece, 1));
      expect(counts).toEqual(pieces.map((piece) => decoded([piece], 1).length));
    });
  });

  it('is cut behind an ordinal, and takes no more bytes', () => {
    mixed((pieces, all) => {
      for (const ordinal of [first - 1, first, first + 40, first + 99, first + 200]) {
        const kept = all.filter((one) => one.ordinal > ordinal);
        const rest = pieces.map((piece) => pairsBehind(piece, 1, ordinal));
        expect(namesOf(decoded(rest, 1))).toEqual(namesOf(kept));
        expect(pieces.some((piece) => reachesBehind(piece, 1, ordinal))).toBe(kept.length > 0);
        for (const [at, piece] of pieces.entries())
          expect(rest[at]?.length).toBeLessThanOrEqual(piece.length + 1);
      }
    });
  });

  it('is of the group of each ordinal', () => {
    const pieces = encodePairs([{ segments: [5, 7], ordinals: [first - 1, first, first - 2] }], 200);
    expect(pieces.map(({ group, pairs }) => blocksIn(pairs, group))).toEqual([
      [{ segments: [5, 7], ordinals: [first - 2, first - 1] }],
      [{ segments: [5, 7], ordinals: [first] }],
    ]);
  });
});

describe('a block of neighbours', () => {
  it('takes some bytes, however many people it has, and is counted by its pairs', () => {
    for (const segments of [[3_000_000_001], [3_000_000_001, 3_000_000_002, 9]]) {
      const wide = blockOf(segments, 7, 65_542);
      expect(bytesOf([wide]).length).toBeLessThan(16);
      expect(countOfPairs(bytesOf([wide]), 0)).toBe(segments.length * 65_536);
    }
  });
});
