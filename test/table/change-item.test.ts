import { describe, expect, it } from 'vitest';
import { isUnavailable } from '../../shared/runtime/aws-errors.ts';
import { changeItem, type Decision } from '../../shared/table/change-item.ts';
import type { Key } from '../../shared/table/keys.ts';
import type { StoredItem } from '../../shared/table/table.ts';
import { MemoryTable } from '../support/memory-table.ts';

const key: Key = { pk: 'P', sk: 'S' };
const what = 'test: an item';
const pause = () => Promise.resolve();

const countUp = (item: StoredItem | undefined): Decision<number> => {
  const next = (typeof item?.['count'] === 'number' ? item['count'] : 0) + 1;
  return { set: { count: next }, result: next };
};

describe('changeItem', () => {
  it('inserts an item that is missing and updates an item that is there', async () => {
    const table = new MemoryTable();
    expect(await changeItem({ table, pause }, { key, what }, countUp)).toBe(1);
    expect(await changeItem({ table, pause }, { key, what }, countUp)).toBe(2);
    expect(await table.get(key)).toMatchObject({ count: 2 });
  });

  it('loses no change of writers side by side', async () => {
    const table = new MemoryTable();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => changeItem({ table, pause }, { key, what }, countUp)),
    );
    expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await table.get(key)).toMatchObject({ count: 20 });
  });

  it('writes nothing when the decision changes nothing', async () => {
    const writes: string[] = [];
    const table = new MemoryTable((operation) => void writes.push(operation));
    expect(await changeItem({ table, pause }, { key, what }, () => ({ result: 'left alone' }))).toBe(
      'left alone',
    );
    expect(writes).toEqual(['get']);
  });

  it('deletes an item as it was read, and treats a missing item as deleted', async () => {
    const table = new MemoryTable();
    await table.put(key, { count: 1 });
    const remove = () => ({ remove: true, result: undefined }) as const;
    await changeItem({ table, pause }, { key, what }, remove);
    expect(await table.get(key)).toBeUndefined();
    await changeItem({ table, pause }, { key, what }, remove);
  });

  it('fails as unavailable when another writer always comes between', async () => {
    const table = new MemoryTable();
    table.loses = () => true;
    await expect(changeItem({ table, pause }, { key, what }, countUp)).rejects.toSatisfy(isUnavailable);
  });
});
