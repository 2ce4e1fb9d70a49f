import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardinality, decodeFrozen, encodeFrozen, ordinalsBetween } from '../../shared/exports/frozen-set.ts';
import { chunksOf } from './world.ts';
import { shardCount, shardRange } from '../../shared/exports/shards.ts';

const ordinals = fc.uniqueArray(
  fc.oneof(fc.nat(20_000), fc.nat(2 ** 31 - 1), fc.integer({ min: 2 ** 40, max: 2 ** 40 + 9_000 })),
  { maxLength: 400 },
);
const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

describe('the frozen members', () => {
  test('come back from their object, ascending', () => {
    fc.assert(
      fc.property(ordinals, (members) => {
        const chunks = decodeFrozen(encodeFrozen(chunksOf(members)));
        expect(cardinality(chunks)).toBe(members.length);
        expect([...ordinalsBetween(chunks, 0, members.length)]).toEqual(ascending(members));
      }),
    );
  });

  test('are in exactly one shard each, whatever their number', () => {
    fc.assert(
      fc.property(ordinals, fc.integer({ min: 1, max: 50 }), (members, shards) => {
        const chunks = chunksOf(members);
        const parts = Array.from({ length: shards }, (_, shard) => {
          const { from, to } = shardRange(members.length, shards, shard);
          return [...ordinalsBetween(chunks, from, to)];
        });
        expect(parts.flat()).toEqual(ascending(members));
        const sizes = parts.map(({ length }) => length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test.each([
    [0, 0],
    [1, 1],
    [10_000, 1],
    [10_001, 2],
    [10_000_000, 1_000],
    [10_000_001, 1_000],
    [50_000_000, 1_000],
  ])('%i make %i shards', (members, shards) => {
    expect(shardCount(members)).toBe(shards);
  });

  test('what is no frozen set is refused', () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('TMS2'),
      Buffer.concat([encodeFrozen(chunksOf([1])), Buffer.from('x')]),
      encodeFrozen(chunksOf([1])).subarray(0, 13),
    ])
      expect(() => decodeFrozen(bytes)).toThrow('frozen set');
  });
});
