import { describe, expect, it } from 'vitest';
import { profileItems, readProfileItems } from '../../shared/profiles/stored-profile.ts';
import { type Key, keys, PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
import type { Range } from '../../shared/table/table.ts';
import { MemoryTable } from '../support/memory-table.ts';

const PROPERTY = 1;
const EMPTY = 7;
const upTo = (count: number, step = 1): readonly number[] =>
  Array.from({ length: count }, (_, index) => index * step);

/** A table with an item at each of these ordinals but `EMPTY`, and the operations since it was filled. */
const tableWith = async (ordinals: readonly number[]) => {
  const operations: string[] = [];
  const table = new MemoryTable((operation) => void operations.push(operation));
  for (const ordinal of ordinals)
    if (ordinal !== EMPTY) await table.put(keys.profile(PROPERTY, ordinal), { at: ordinal });
  operations.length = 0;
  return { table, operations };
};

it.each([
  ['few neighbours', upTo(PROFILES_PER_BLOCK / 4 - 1), ['getMany']],
  ['a quarter of a block', upTo(PROFILES_PER_BLOCK / 4), ['query']],
  ['a quarter of a block, spread over it', upTo(PROFILES_PER_BLOCK / 4, 4), ['query']],
  ['as many of many blocks', upTo(PROFILES_PER_BLOCK / 4, 40), ['getMany']],
  ['two blocks, and a few of the third', upTo(2 * PROFILES_PER_BLOCK + 3), ['query', 'getMany', 'query']],
  ['none', [], []],
])('reads %s in the cheaper way', async (_, ordinals, expected) => {
  const { table, operations } = await tableWith(ordinals);
  const found = await readProfileItems(table, PROPERTY, [...ordinals, ...ordinals.slice(0, 3)].toReversed());
  expect(operations).toEqual(expected);
  const places = [...found]
    .map(([ordinal, { at }]) => [ordinal, at])
    .sort(([a], [b]) => Number(a) - Number(b));
  const stored = ordinals.filter((ordinal) => ordinal !== EMPTY);
  expect(places).toEqual(stored.map((ordinal) => [ordinal, ordinal]));
});

describe('many large items', () => {
  const BYTES = 380_000;
  const FEW_STEPS = 5 * 24_500_000;

  /** Reads items of the largest size step by step; returns the ordinals, and the most bytes that were read ahead. */
  const walk = async (ordinals: readonly number[]) => {
    let read = 0;
    const one = { w: 'w', state: 'x'.repeat(BYTES) };
    const take = <Item>(items: readonly Item[]): readonly Item[] => {
      read += items.length * BYTES;
      return items;
    };
    const all = new MemoryTable();
    for (const ordinal of ordinals) await all.put(keys.profile(PROPERTY, ordinal), one);
    const table = {
      getMany: async (wanted: readonly Key[]) => take(await all.getMany(wanted)),
      query: async (pk: string, range?: Range) => {
        const page = await all.query(pk, range);
        return { ...page, items: take(page.items) };
      },
    };
    const seen: number[] = [];
    let most = 0;
    for await (const step of profileItems(table, PROPERTY, ordinals)) {
      await new Promise(setImmediate);
      most = Math.max(most, read - seen.length * BYTES);
      seen.push(...step.map(([ordinal]) => ordinal));
    }
    return { seen, most };
  };

  it.each([
    ['neighbours', upTo(500)],
    ['scattered', upTo(500, 9)],
    [
      'of dense and sparse blocks',
      [...upTo(300), ...upTo(40, 90).map((one) => 10_000 + one), ...upTo(200).map((one) => 90_000 + one)],
    ],
  ])('are read a few steps ahead, in order, if they are %s', async (_, ordinals) => {
    for (const wanted of [ordinals, ordinals.toReversed()]) {
      const { seen, most } = await walk(wanted);
      expect(seen).toEqual(wanted);
      expect(most).toBeLessThan(FEW_STEPS);
    }
  });

  it('are no longer read once nobody takes them', async () => {
    const operations: string[] = [];
    const table = new MemoryTable((operation) => void operations.push(operation));
    const steps = profileItems(table, PROPERTY, upTo(100 * PROFILES_PER_BLOCK));
    await steps.next();
    await steps.return();
    await new Promise(setImmediate);
    expect(operations.length).toBeLessThanOrEqual(5);
  });
});
