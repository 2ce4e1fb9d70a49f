import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedKeys, type KeyRange } from '../../../services/dynamodb/sorted-keys.ts';

const bound = fc.option(
  fc.nat(3_000).map((number) => `k${number}`),
  { nil: undefined },
);
const ranges = fc.record({ gt: bound, gte: bound, lt: bound, lte: bound, reverse: fc.boolean() });

/** The keys of a range by definition. */
const expected = (
  keys: Iterable<string>,
  { gt, gte, lt, lte, reverse = false }: KeyRange,
  size: number,
): string[] => {
  const sorted = [...keys]
    .filter((key) => (gt === undefined ? gte === undefined || key >= gte : key > gt))
    .filter((key) => (lt === undefined ? lte === undefined || key <= lte : key < lt))
    .sort();
  return (reverse ? sorted.reverse() : sorted).slice(0, size);
};

describe('sorted keys', () => {
  it('give the keys of any range in order and backwards, after any additions and deletions', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.nat(3_000)),
        fc.nat(4_000),
        fc.array(fc.tuple(ranges, fc.nat(2_000)), { minLength: 5, maxLength: 5 }),
        (stream, count, asked) => {
          const model = new Set<string>();
          const keys = new SortedKeys();
          for (const number of stream.take(count)) {
            const key = `k${number}`;
            if (model.delete(key)) {
              keys.delete(key);
            } else {
              model.add(key);
              keys.add(key);
            }
          }
          for (const [range, size] of asked)
            expect(keys.take(range, size)).toEqual(expected(model, range, size));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stay in order when they come in order, and when all of them go', () => {
    const all = Array.from({ length: 5_000 }, (_, index) => `k${String(index).padStart(5, '0')}`);
    const keys = new SortedKeys();
    for (const key of all) keys.add(key);
    expect(keys.take({}, Infinity)).toEqual(all);
    for (const key of all) keys.delete(key);
    expect(keys.take({}, Infinity)).toEqual([]);
  });
});
