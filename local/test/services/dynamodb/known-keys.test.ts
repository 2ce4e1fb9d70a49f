import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { openEngine } from '../../../services/dynamodb/engine.ts';
import { KeyFilter } from '../../../services/dynamodb/key-filter.ts';
import { knownKeys } from '../../../services/dynamodb/known-keys.ts';
import { partition, TABLE, openDb } from './table.ts';
import { newFolders } from '../../support/folders.ts';
import type { DynamoDb } from '../../../services/dynamodb/dynamodb.ts';

describe('the filter of keys', () => {
  it('has every key that was added', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (keys) => {
        const filter = new KeyFilter();
        for (const key of keys) filter.add(key);
        expect(keys.filter((key) => !filter.mayHave(key))).toEqual([]);
      }),
    );
  });

  it('over several layers has all of 500,000 keys, and takes at most 2 % of others for one of them', () => {
    const filter = new KeyFilter();
    const names = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `item-things~${prefix}${index}/`);
    const added = names('a', 500_000);
    for (const key of added) filter.add(key);
    expect(added.every((key) => filter.mayHave(key))).toBe(true);
    const others = names('b', 100_000);
    expect(others.filter((key) => filter.mayHave(key)).length).toBeLessThan(0.02 * others.length);
  });
});

describe('keys in files of an earlier run', () => {
  const newFolder = newFolders();
  const rows = partition('p');
  const filled = async (count: number): Promise<string> => {
    const dataDir = newFolder();
    const db = await openDb(dataDir);
    for (let index = 0; index < count; index += 1)
      await db.call('BatchExecuteStatement', { Statements: [rows.insert(`${index}`, 'kept', 'w')] });
    await db.close();
    return dataDir;
  };

  it('none passes for absent before they are known, nor after', async () => {
    const dataDir = await filled(20);
    const engine = await openEngine({ dataDir });
    const { db } = engine.store;
    const stored = await db.keys({}).nextv(1_000);
    const known = await knownKeys(db);
    const passing = () => stored.filter((key) => known.isAbsent(key));
    expect(stored.length).toBeGreaterThan(20);
    expect(passing()).toEqual([]);
    await vi.waitFor(() => {
      expect(known.isAbsent('item-things~none')).toBe(true);
    });
    expect(passing()).toEqual([]);
    await db.put('item-things~none', {});
    expect(known.isAbsent('item-things~none')).toBe(false);
    await known.close();
    await engine.close();
  });

  it('a table that is closed while it learns them loses nothing', async () => {
    const dataDir = await filled(20);
    const get = (db: DynamoDb, sk: string) => db.call('GetItem', { TableName: TABLE, Key: rows.key(sk) });
    for (let run = 0; run < 3; run += 1) {
      const db = await openDb(dataDir);
      expect((await get(db, '19')).body).toMatchObject({ Item: { a: { S: 'kept' } } });
      expect((await get(db, '20')).body).toEqual({});
      await db.close();
    }
  });
});
