import { expect, it } from 'vitest';
import { readProfileItems } from '../../shared/profiles/profile-items.ts';
import { keys, PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
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
  ['two blocks, and a few of the third', upTo(2 * PROFILES_PER_BLOCK + 3), ['query', 'query', 'getMany']],
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
