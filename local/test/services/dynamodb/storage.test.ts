import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../services/dynamodb/dynamodb.ts';
import { definition, INSERT, partition, TABLE, openDb, settingA, wholePartition } from './table.ts';
import { newFolders } from '../../support/folders.ts';

const newFolder = newFolders();

const rows = partition('p');
const read = async (db: DynamoDb, sk: string): Promise<unknown> =>
  (await db.call('GetItem', { TableName: TABLE, Key: rows.key(sk), ConsistentRead: true })).body['Item'];
const query = async (db: DynamoDb, forward: boolean, more: object = {}): Promise<unknown> => {
  const { body } = await db.call('Query', {
    ...{ ...wholePartition(rows.pk), ProjectionExpression: 'sk', ScanIndexForward: forward },
    ...more,
  });
  return body['Items'];
};
const names = (...sks: readonly string[]) => sks.map((sk) => ({ sk: { S: sk } }));

describe.each([
  ['in memory', undefined],
  ['in files', newFolder()],
])('items %s', (_, dataDir) => {
  it('show the last of the writes by statements and by other operations', async () => {
    const db = await openDb(dataDir);
    await db.call('BatchExecuteStatement', { Statements: [rows.insert('1', 'first', 'w')] });
    const Key = rows.key('1');
    await db.call('UpdateItem', settingA(Key, 'second'));
    expect(await read(db, '1')).toMatchObject({ a: { S: 'second' }, w: { S: 'w' } });
    await db.call('BatchExecuteStatement', { Statements: [rows.update('1', 'third', 'w2', 'w')] });
    expect(await read(db, '1')).toMatchObject({ a: { S: 'third' }, w: { S: 'w2' } });
    await db.call('DeleteItem', { TableName: TABLE, Key });
    expect(await read(db, '1')).toBeUndefined();
    await db.call('PutItem', { TableName: TABLE, Item: { ...Key, a: { S: 'fourth' }, w: { S: 'w3' } } });
    expect(await read(db, '1')).toMatchObject({ a: { S: 'fourth' } });
    await db.call('BatchExecuteStatement', { Statements: [rows.remove('1', 'w3')] });
    expect(await read(db, '1')).toBeUndefined();
    await db.close();
  });

  it('come in the order of their keys, both ways, up to a limit and after a key', async () => {
    const db = await openDb(dataDir);
    const other = partition('q');
    const Statements = ['3', '1', '4', '2'].map((sk) => rows.insert(sk, 'a', 'w'));
    await db.call('BatchExecuteStatement', { Statements: [...Statements, other.insert('0', 'a', 'w')] });
    expect(await query(db, true)).toEqual(names('1', '2', '3', '4'));
    expect(await query(db, false)).toEqual(names('4', '3', '2', '1'));
    expect(await query(db, false, { Limit: 2 })).toEqual(names('4', '3'));
    expect(await query(db, true, { ExclusiveStartKey: rows.key('2') })).toEqual(names('3', '4'));
    expect(await query(db, false, { ExclusiveStartKey: rows.key('3') })).toEqual(names('2', '1'));
    await db.close();
  });

  it('of a caller can change after their write, without effect on the table', async () => {
    const db = await openDb(dataDir);
    const mine = { ...rows.key('9'), tags: { M: { a: { S: 'kept' } } }, w: { S: 'w' } };
    await db.call('PutItem', { TableName: TABLE, Item: mine });
    mine.tags.M.a.S = 'changed';
    expect(await read(db, '9')).toMatchObject({ tags: { M: { a: { S: 'kept' } } } });
    await db.close();
  });
});

describe('an item in files', () => {
  it('is there after the process died right after the acknowledgement of its write', async () => {
    const dataDir = newFolder();
    const module = new URL('../../../services/dynamodb/dynamodb.ts', import.meta.url);
    const code = `
      const { createDynamoDb } = await import(${JSON.stringify(module.href)});
      const db = await createDynamoDb(${JSON.stringify({ dataDir })});
      await db.createTable(${JSON.stringify(definition)});
      for (let index = 0; index < 200; index += 1) {
        const Parameters = [{ S: 'p' }, { S: String(index) }, { S: 'a' }, { S: 'w' }];
        await db.call('BatchExecuteStatement', { Statements: [{ Statement: ${JSON.stringify(INSERT)}, Parameters }] });
      }
      process.kill(process.pid, 'SIGKILL');`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    const db = await openDb(dataDir);
    for (let index = 0; index < 200; index += 1)
      expect(await read(db, String(index))).toMatchObject({ a: { S: 'a' } });
    await db.close();
  });
});
