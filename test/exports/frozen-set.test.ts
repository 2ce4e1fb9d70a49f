import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cardinality,
  decodeFrozen,
  encodeFrozen,
  memberTest,
  ordinalsBetween,
  unionOf,
} from '../../shared/exports/model/frozen-set.ts';
import { chunksOf } from './harness.ts';
import { shardCount, shardRange } from '../../shared/exports/parts/shards.ts';

const ordinals = fc.uniqueArray(
  fc.oneof(fc.nat(20_000), fc.nat(2 ** 31 - 1), fc.integer({ min: 2 ** 40, max: 2 ** 40 + 9_000 })),
  { maxLength: 400 },
);
const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

describe('the frozen members', () => {
  it('come back from their object, ascending', () => {
    fc.assert(
      fc.property(ordinals, (members) => {
        const chunks = decodeFrozen(encodeFrozen(chunksOf(members)));
        expect(cardinality(chunks)).toBe(members.length);
        expect([...ordinalsBetween(chunks, 0, members.length)]).toEqual(ascending(members));
      }),
    );
  });

  it('are in exactly one shard each, whatever their number', () => {
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

  it('of two sets are together each member once, ascending, and each set knows its own', () => {
    fc.assert(
      fc.property(ordinals, ordinals, (some, others) => {
        const [one, other] = [chunksOf(some), chunksOf(others)];
        const all = [...new Set([...some, ...others])];
        expect([...ordinalsBetween(unionOf(one, other), 0, all.length)]).toEqual(ascending(all));
        const isMember = memberTest(one);
        expect(all.filter(isMember)).toEqual(some);
      }),
    );
  });

  it.each([
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

  it('bytes of another form are refused', () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('TMS2'),
      Buffer.concat([encodeFrozen(chunksOf([1])), Buffer.from('x')]),
    ])
      expect(() => decodeFrozen(bytes)).toThrow('frozen set');
    const whole = encodeFrozen(chunksOf([1, 5]));
    expect(decodeFrozen(whole.subarray(0, 4))).toEqual([]);
    for (let length = 5; length < whole.length; length += 1)
      expect(() => decodeFrozen(whole.subarray(0, length))).toThrow('cut short');
  });
});
