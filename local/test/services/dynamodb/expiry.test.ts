import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type DynamoDb } from '../../../services/dynamodb/dynamodb.ts';
import { definition, partition, TABLE, openDb } from './table.ts';
import { newFolders } from '../../support/folders.ts';

const newFolder = newFolders();

const NOW = Date.parse('2026-11-28T06:00:00Z');
const SECONDS = NOW / 1_000;
const YEAR = 365 * 86_400;
const FOREVER = 'without-expiry';
const rows = partition('p');

const open = async (dataDir: string | undefined): Promise<DynamoDb> => {
  const db = await openDb(dataDir, {}, { timeToLive: 'ends' });
  await db.createTable({ ...definition, name: FOREVER });
  return db;
};

const put = (db: DynamoDb, sk: string, more: object, TableName: string = TABLE) =>
  db.call('PutItem', { TableName, Item: { ...rows.key(sk), ...more } });

const endsAt = (seconds: number) => ({ ends: { N: String(seconds) }, w: { S: 'w' } });

const Names = v.array(v.looseObject({ sk: v.object({ S: v.string() }) }));
const namesIn = async (db: DynamoDb, TableName: string = TABLE, more: object = { ConsistentRead: true }) => {
  const { body } = await db.call('Scan', { TableName, ...more });
  return v
    .parse(Names, body['Items'])
    .map(({ sk }) => sk.S)
    .toSorted();
};

describe.each([
  ['in memory', () => undefined],
  ['in files', newFolder],
])('the expiry of items %s', (_, folderOf) => {
  it('deletes what has ended in the last five years, by a number in the attribute of the table', async () => {
    const dataDir = folderOf();
    const db = await open(dataDir);
    await put(db, 'just now', endsAt(SECONDS));
    await put(db, 'years ago', endsAt(SECONDS - 5 * YEAR + 1));
    await put(db, 'too long ago', endsAt(SECONDS - 5 * YEAR));
    await put(db, 'soon', endsAt(SECONDS + 1));
    await put(db, 'text', { ends: { S: String(SECONDS) } });
    await put(db, 'another attribute', { ttl: { N: String(SECONDS) } });
    await put(db, 'kept', endsAt(SECONDS), FOREVER);
    expect(await namesIn(db)).toHaveLength(6);
    await db.expire(NOW);
    const left = ['another attribute', 'soon', 'text', 'too long ago'];
    expect(await namesIn(db)).toEqual(left);
    expect(await namesIn(db, FOREVER)).toEqual(['kept']);
    expect(await namesIn(db, TABLE, { IndexName: 'by-w' })).toEqual(['soon', 'too long ago']);
    await db.close();
    if (dataDir === undefined) return;
    const again = await open(dataDir);
    expect(await namesIn(again)).toEqual(left);
    await again.expire(NOW + 1_000);
    expect(await namesIn(again)).not.toContain('soon');
    await again.close();
  });

  it('looks at all items of a large table', async () => {
    const db = await open(folderOf());
    const all = Array.from({ length: 1_200 }, (__, index) => `row ${index}`);
    await Promise.all(all.map((sk, index) => put(db, sk, index % 600 === 599 ? {} : endsAt(SECONDS))));
    await db.expire(NOW);
    expect(await namesIn(db)).toEqual(['row 1199', 'row 599']);
    await db.close();
  });

  it('keeps an item that is prolonged meanwhile', async () => {
    const db = await open(folderOf());
    await put(db, 'row', endsAt(SECONDS));
    await Promise.all([put(db, 'row', endsAt(SECONDS + 60)), db.expire(NOW)]);
    expect(await namesIn(db)).toEqual(['row']);
    await db.close();
  });
});

it('the expiry ends early when the storage closes, and the next one goes on', async () => {
  const dataDir = newFolder();
  const db = await open(dataDir);
  const all = Array.from({ length: 1_200 }, (_, index) => `row ${index}`);
  await Promise.all(all.map((sk) => put(db, sk, endsAt(SECONDS))));
  const pass = db.expire(NOW);
  await db.close();
  await pass;
  const again = await open(dataDir);
  expect((await namesIn(again)).length).toBeGreaterThan(0);
  await again.expire(NOW);
  expect(await namesIn(again)).toEqual([]);
  await again.close();
});
