import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockBatches } from '../../shared/membership/index-step.ts';
import { PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';

const blocksOf = (batch: readonly number[]): ReadonlySet<number> =>
  new Set(batch.map((ordinal) => Math.floor(ordinal / PROFILES_PER_BLOCK)));

describe('a reader of profiles in batches', () => {
  it('returns each ordinal once and in order, reads no block twice, and fills every batch except the last', () => {
    const ordinals = fc
      .uniqueArray(fc.integer({ min: 0, max: 6_000 }), { maxLength: 3_000, size: 'max' })
      .map((some) => some.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(ordinals, fc.integer({ min: 1, max: 800 }), (wanted, size) => {
        const batches = [...blockBatches(wanted, size)];
        expect(batches.flat()).toEqual(wanted);
        const blocks = batches.flatMap((batch) => [...blocksOf(batch)]);
        expect(new Set(blocks).size).toBe(blocks.length);
        for (const batch of batches.slice(0, -1)) {
          expect(batch.length).toBeGreaterThanOrEqual(size);
          expect(batch.length).toBeLessThan(size + PROFILES_PER_BLOCK);
        }
      }),
    );
  });

  it('reads neighbouring ordinals in whole blocks, wherever the block begins', () => {
    const neighbours = Array.from({ length: 10_000 }, (_, index) => 10_000 + index);
    const [first, ...others] = [...blockBatches(neighbours, 2 * PROFILES_PER_BLOCK)];
    expect(first?.at(-1)).toBe(10_239 + 2 * PROFILES_PER_BLOCK);
    for (const batch of others.slice(0, -1)) expect(batch).toHaveLength(2 * PROFILES_PER_BLOCK);
  });
});
