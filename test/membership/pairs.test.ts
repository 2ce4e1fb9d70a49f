import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pair } from '../../shared/catalogue/types.ts';
import {
  blockIn,
  type Block,
  countOfPairs,
  encodeBlock,
  encodePairs,
  pairsBehind,
  pairsByGroup,
  reachesBehind,
  visitPairs,
  visitPairsOf,
} from '../../shared/membership/pairs.ts';
import { groupOf, ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';

const pair = fc.record({
  segment: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.maxSafeNat()),
  ordinal: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 2 ** 40 })),
});
const nameOf = ({ segment, ordinal }: Pair): string => `${segment} ${ordinal}`;

const decoded = (pieces: readonly Uint8Array[], group: number): readonly Pair[] => {
  const found: Pair[] = [];
  for (const piece of pieces)
    visitPairs(piece, group, (segment, ordinal) => {
      found.push({ segment, ordinal });
    });
  return found;
};

describe('the pairs of a journal entry', () => {
  it('survive encoding, each exactly once, in pieces within the size limit', () => {
    fc.assert(
      fc.property(fc.array(pair), fc.integer({ min: 20, max: 200 }), (pairs, maxBytes) => {
        const groups = [...pairsByGroup([...pairs, ...pairs])];
        const found = groups.flatMap(([group, members]) => {
          const pieces = encodePairs(members, maxBytes);
          expect(pieces.every(({ length }) => length <= maxBytes)).toBe(true);
          return decoded(pieces, group);
        });
        expect(found.map(nameOf).sort()).toEqual([...new Set(pairs.map(nameOf))].sort());
      }),
    );
  });

  it('take about a byte and a half each', () => {
    const pairs = Array.from({ length: 5_000 }, (_, index) => ({
      segment: 3_000_000_001 + (index % 10),
      ordinal: Math.floor(index / 10),
    }));
    const [bytes] = encodePairs(pairsByGroup(pairs).get(0) ?? new Map<number, number[]>(), 200_000);
    expect(bytes?.length).toBeLessThan(1.6 * pairs.length);
  });

  it.each([
    ['an unknown format', [9]],
    ['nothing', []],
    ['a cut list', [1, 5, 2, 3]],
    ['an overlong number', [1, ...new Uint8Array(9).fill(255)]],
    ['an ordinal outside the group', [1, 5, 1, 128, 128, 16]],
    ['a block that is cut', [2, 1, 5, 0]],
    ['a block that goes on', [2, 1, 5, 0, 1, 0]],
    ['a block that ends outside the group', [2, 1, 5, 1, 128, 128, 16]],
  ])('cannot be decoded from %s', (_, bytes) => {
    expect(() => decoded([Uint8Array.from(bytes)], 0)).toThrow();
  });
});

/** What an entry may name in group 1: single pairs, and blocks of up to 60 ordinals. */
const first = ORDINALS_PER_GROUP;
const near = fc.integer({ min: first, max: first + 100 });
const named = fc.record({
  pairs: fc.array(fc.record({ segment: fc.integer({ min: 1, max: 50 }), ordinal: near })),
  blocks: fc.array(
    fc.record({
      segments: fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.maxSafeNat()), { minLength: 1 }),
      from: near,
      length: fc.integer({ min: 1, max: 60 }),
    }),
  ),
});

const expanded = ({ segments, from, to }: Block): readonly Pair[] =>
  segments.flatMap((segment) =>
    Array.from({ length: to - from + 1 }, (_, at) => ({ segment, ordinal: from + at })),
  );

const namesOf = (pairs: readonly Pair[]): readonly string[] => [...new Set(pairs.map(nameOf))].sort();

describe('what a journal entry names, single pairs and blocks', () => {
  const mixed = (check: (pieces: readonly Uint8Array[], all: readonly Pair[]) => void): void => {
    fc.assert(
      fc.property(named, ({ pairs, blocks }) => {
        const ranges = blocks.map(({ segments, from, length }) => ({
          segments,
          from,
          to: from + length - 1,
        }));
        const lists = [...pairsByGroup(pairs).values()].flatMap((members) => encodePairs(members, 60));
        check([...lists, ...ranges.flatMap(encodeBlock)], [...pairs, ...ranges.flatMap(expanded)]);
      }),
    );
  };

  it('is read as it was written', () => {
    mixed((pieces, all) => {
      expect(namesOf(decoded(pieces, 1))).toEqual(namesOf(all));
    });
  });

  it('is cut behind an ordinal, and a block stays a block', () => {
    mixed((pieces, all) => {
      for (const ordinal of [first - 1, first, first + 40, first + 99, first + 200]) {
        const kept = all.filter((pair) => pair.ordinal > ordinal);
        const rest = pieces.map((piece) => pairsBehind(piece, 1, ordinal));
        expect(namesOf(decoded(rest, 1))).toEqual(namesOf(kept));
        expect(pieces.some((piece) => reachesBehind(piece, 1, ordinal))).toBe(kept.length > 0);
        for (const [at, piece] of pieces.entries()) {
          const left = rest[at] ?? piece;
          expect(left.length).toBeLessThanOrEqual(piece.length + 1);
          if (reachesBehind(piece, 1, ordinal))
            expect(blockIn(left, 1) === undefined).toBe(blockIn(piece, 1) === undefined);
        }
      }
    });
  });

  it('is found by its ordinals', () => {
    mixed((pieces, all) => {
      const wanted = new Set([first, first + 7, first + 50, first + 130]);
      const found: Pair[] = [];
      for (const piece of pieces)
        visitPairsOf(piece, 1, wanted, (segment, ordinal) => {
          found.push({ segment, ordinal });
        });
      expect(namesOf(found)).toEqual(namesOf(all.filter(({ ordinal }) => wanted.has(ordinal))));
    });
  });
});

describe('a block', () => {
  const wide = { segments: [3_000_000_001, 3_000_000_002, 9], from: first, to: first + 65_535 };

  it('takes some bytes, however many people it has, and is counted by its pairs', () => {
    const [bytes, ...others] = encodeBlock(wide);
    if (!bytes) throw new Error('no bytes');
    expect(others).toEqual([]);
    expect(bytes.length).toBeLessThan(16);
    expect(countOfPairs(bytes, 1)).toBe(3 * 65_536);
  });

  it.each([
    [
      'people',
      { segments: Array.from({ length: 33 }, (_, at) => at + 1), from: 0, to: ORDINALS_PER_GROUP - 1 },
    ],
    ['segments', { segments: Array.from({ length: 200_000 }, (_, at) => at * 2 ** 30), from: 4, to: 9 }],
  ])('with too many %s for one look of a drainer is several blocks', (_, block) => {
    const pieces = encodeBlock(block);
    const counts = pieces.map((piece) => countOfPairs(piece, 0));
    expect(Math.max(...counts)).toBeLessThanOrEqual(2 ** 20);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(10_000);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(
      block.segments.length * (block.to - block.from + 1),
    );
    const found = pieces.map((piece) => blockIn(piece, 0));
    expect(new Set(found.flatMap((one) => one?.segments ?? []))).toEqual(new Set(block.segments));
    expect(new Set(found.flatMap((one) => [one?.from, one?.to]))).toContain(block.to);
  });

  it('is of one group', () => {
    expect(() => encodeBlock({ ...wide, from: first - 1 })).toThrow('outside one group');
    expect(() => encodeBlock({ ...wide, to: first - 1 })).toThrow('outside one group');
    expect(groupOf(wide.to)).toBe(1);
  });
});
