import { describe, expect, it } from 'vitest';
import { blockAt, blocksOf, type FillRange } from '../../../shared/segments/fill-blocks.ts';
import { groupOf, ORDINALS_PER_CHUNK, ORDINALS_PER_GROUP } from '../../../shared/table/keys.ts';

const idsOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const blocksIn = (range: FillRange) =>
  Array.from({ length: blocksOf(range) }, (_, index) => {
    const { segments, ordinals } = blockAt(range, index);
    return { segments, ordinals, from: ordinals[0] ?? 0, to: ordinals.at(-1) ?? 0 };
  });

describe('the blocks of a fill', () => {
  it.each([
    [1, 0],
    [1, 1],
    [1, 65_536],
    [3, 65_537],
    [16, ORDINALS_PER_GROUP],
    [17, ORDINALS_PER_GROUP + 1],
    [232, 4 * ORDINALS_PER_GROUP + 3 * ORDINALS_PER_CHUNK + 5],
    [1, 10_000_000],
  ])('of %d segments and %d people name each person once, in whole chunks of one group', (count, end) => {
    const range = { ids: idsOf(count), end };
    const blocks = blocksIn(range).toSorted((a, b) => a.from - b.from);
    let next = 0;
    for (const { segments, ordinals, from, to } of blocks) {
      expect(ordinals).toHaveLength(to - from + 1);
      expect(segments).toEqual(range.ids);
      expect(from).toBe(next);
      expect(from % ORDINALS_PER_CHUNK).toBe(0);
      expect(groupOf(to)).toBe(groupOf(from));
      expect((to - from + 1) * count).toBeLessThanOrEqual(1_000_000);
      next = to + 1;
    }
    expect(next).toBe(end);
  });

  it('that follow each other are in different groups, as long as several groups have some left', () => {
    const groups = blocksIn({ ids: [1], end: 4 * ORDINALS_PER_GROUP - 1 }).map(({ from }) => groupOf(from));
    expect(groups).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
  });
});
