import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { batchesOf, mapLimited } from '../../shared/runtime/pool.ts';

describe('mapLimited', () => {
  it('keeps order and never more than its limit under way', async () => {
    let underWay = 0;
    let most = 0;
    const doubled = await mapLimited([1, 2, 3, 4, 5, 6, 7], 3, async (value) => {
      most = Math.max(most, (underWay += 1));
      for (let turns = 0; turns < 8 - value; turns += 1) await turn();
      underWay -= 1;
      return 2 * value;
    });
    expect(doubled).toEqual([2, 4, 6, 8, 10, 12, 14]);
    expect(most).toBe(3);
  });

  it('fails with the first failure, after what is under way, beginning nothing new', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const mapping = mapLimited([1, 2, 3, 4, 5], 2, async (value) => {
      begun.push(value);
      await turn();
      if (value === 1) throw new Error('one');
      await turn();
      ended.push(value);
    });
    await expect(mapping).rejects.toThrow('one');
    expect(begun).toEqual([1, 2]);
    expect(ended).toEqual([2]);
  });

  it('of nothing is nothing', async () => {
    expect(await mapLimited([], 4, () => Promise.resolve(1))).toEqual([]);
  });
});

describe('batchesOf', () => {
  it('cuts any sequence in order, the last batch shorter', () => {
    expect([...batchesOf(new Set([1, 2, 3, 4, 5]), 2)]).toEqual([[1, 2], [3, 4], [5]]);
    expect([...batchesOf([1, 2, 3, 4], 2)]).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect([...batchesOf([], 2)]).toEqual([]);
  });
});
