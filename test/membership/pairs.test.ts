import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePairs, pairsByGroup, visitPairs } from '../../shared/membership/journal.ts';
import type { Pair } from '../../shared/catalogue/types.ts';

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
    const [bytes] = encodePairs([...(pairsByGroup(pairs).get(0) ?? [])], 200_000);
    expect(bytes?.length).toBeLessThan(1.6 * pairs.length);
  });

  it.each([
    ['an unknown format', [9]],
    ['nothing', []],
    ['a cut list', [1, 5, 2, 3]],
    ['an overlong number', [1, ...new Uint8Array(9).fill(255)]],
    ['an ordinal outside the group', [1, 5, 1, 128, 128, 16]],
  ])('cannot be decoded from %s', (_, bytes) => {
    expect(() => decoded([Uint8Array.from(bytes)], 0)).toThrow();
  });
});
