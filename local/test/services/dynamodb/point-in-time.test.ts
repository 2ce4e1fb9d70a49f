import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type DynamoDb } from '../../../services/dynamodb/dynamodb.ts';
import { clientOf, startGateway } from '../../gateway/cloud.ts';
import { definition, partition, TABLE, openDb, settingA } from './table.ts';
import { newFolders } from '../../support/folders.ts';

const newFolder = newFolders();

const RESTORED = 'restored';
const rows = partition('p');
const other = partition('q');

/** A table with a history, whose clock a test sets. */
const open = async (dataDir?: string, historyBytes?: number) => {
  const clock = { at: Date.parse('2026-11-23T06:00:00Z') };
  const options = { now: () => clock.at, ...(historyBytes === undefined ? {} : { historyBytes }) };
  const db = await openDb(dataDir, options, { timeToLive: 'ttl', pointInTimeRecovery: true });
  return { db, clock };
};

const statements = (db: DynamoDb, ...Statements: readonly unknown[]) =>
  db.call('BatchExecuteStatement', { Statements });

const itemsOf = async (db: DynamoDb, TableName: string): Promise<readonly unknown[]> =>
  v.parse(v.array(v.unknown()), (await db.call('Scan', { TableName })).body['Items']);

const Described = v.object({ Table: v.looseObject({ TableStatus: v.string() }) });
const described = async (db: DynamoDb, TableName: string) =>
  v.parse(Described, (await db.call('DescribeTable', { TableName })).body).Table;

const active = (db: DynamoDb, table: string) =>
  expect.poll(async () => (await described(db, table)).TableStatus, { timeout: 30_000 }).toBe('ACTIVE');

/** Restores to a time, and waits until the new table may be used. */
const restore = async (db: DynamoDb, at: number, target = RESTORED): Promise<void> => {
  await db.call('RestoreTableToPointInTime', {
    SourceTableName: TABLE,
    TargetTableName: target,
    RestoreDateTime: at / 1000,
  });
  await active(db, target);
};

describe.each([
  ['in memory', () => undefined],
  ['in files', newFolder],
])('a restore of a table %s', (_, folderOf) => {
  const opened = () => open(folderOf());

  it('has the items of its time, whatever wrote and deleted them since', async () => {
    const { db, clock } = await opened();
    await statements(db, rows.insert('1', 'a', 'w'), rows.insert('2', 'a', 'w'), other.insert('3', 'a', 'w'));
    clock.at += 1000;
    await statements(db, rows.update('1', 'b', 'w1', 'w'));
    const before = await itemsOf(db, TABLE);
    const time = clock.at;
    clock.at += 1;
    await statements(
      db,
      rows.update('1', 'c', 'w2', 'w1'),
      rows.remove('2', 'w'),
      rows.insert('4', 'd', 'w'),
    );
    await db.call('UpdateItem', settingA(rows.key('1'), 'e'));
    await db.call('PutItem', { TableName: TABLE, Item: { ...rows.key('2'), w: { S: 'new' } } });
    await db.call('DeleteItem', { TableName: TABLE, Key: other.key('3') });
    const Requests = [{ PutRequest: { Item: rows.key('5') } }, { DeleteRequest: { Key: rows.key('4') } }];
    await db.call('BatchWriteItem', { RequestItems: { [TABLE]: Requests } });
    const after = await itemsOf(db, TABLE);
    await restore(db, time);
    expect(await itemsOf(db, RESTORED)).toEqual(before);
    expect(await itemsOf(db, TABLE)).toEqual(after);
    const { body } = await db.call('Query', {
      ...{ TableName: RESTORED, IndexName: 'by-w', KeyConditionExpression: 'w = :w' },
      ExpressionAttributeValues: { ':w': { S: 'w1' } },
    });
    expect(body['Count']).toBe(1);
    await db.close();
  });

  it('has the items of its time, although others write during the copy', async () => {
    const { db, clock } = await opened();
    for (let index = 0; index < 3_000; index += 25)
      await statements(
        db,
        ...Array.from({ length: 25 }, (__, row) => rows.insert(String(index + row), 'a', 'w')),
      );
    const before = await itemsOf(db, TABLE);
    const time = clock.at;
    clock.at += 1;
    const restoring = restore(db, time);
    for (let index = 0; index < 3_000; index += 25)
      await statements(
        db,
        ...Array.from({ length: 25 }, (__, row) =>
          row % 2 === 0
            ? rows.remove(String(index + row), 'w')
            : rows.update(String(index + row), 'b', 'x', 'w'),
        ),
      );
    await restoring;
    expect(await itemsOf(db, RESTORED)).toEqual(before);
    await db.close();
  });
});

describe('a table with point-in-time recovery', () => {
  const refusal = (db: DynamoDb, more: object) =>
    db.call('RestoreTableToPointInTime', {
      ...{ SourceTableName: TABLE, TargetTableName: RESTORED, UseLatestRestorableTime: true },
      ...more,
    });

  it('refuses what AWS refuses, by the names of AWS', async () => {
    const { db, clock } = await open();
    const start = clock.at;
    clock.at += 1000;
    const at = (time: number) => ({ UseLatestRestorableTime: false, RestoreDateTime: time / 1000 });
    const codeOf = (more: object) => expect(refusal(db, more)).rejects;
    await codeOf({ SourceTableName: 'no' }).toMatchObject({ code: 'TableNotFoundException' });
    await codeOf({ TargetTableName: TABLE }).toMatchObject({ code: 'TableAlreadyExistsException' });
    await codeOf(at(start - 1)).toMatchObject({ code: 'InvalidRestoreTimeException' });
    await codeOf(at(clock.at + 1)).toMatchObject({ code: 'InvalidRestoreTimeException' });
    await codeOf({ UseLatestRestorableTime: false }).toMatchObject({ code: 'ValidationException' });
    const Specification = { PointInTimeRecoveryEnabled: false };
    await db.call('UpdateContinuousBackups', {
      TableName: TABLE,
      PointInTimeRecoverySpecification: Specification,
    });
    await codeOf({}).toMatchObject({ code: 'PointInTimeRecoveryUnavailableException' });
    await db.close();
  });

  it('refuses each use and change of the new table until it is active', async () => {
    const { db } = await open();
    const restoring = refusal(db, {});
    const meanwhile = [
      ['UpdateTable', { DeletionProtectionEnabled: true }, 'ResourceInUseException'],
      [
        'UpdateTimeToLive',
        { TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' } },
        'ResourceInUseException',
      ],
      ['DescribeContinuousBackups', {}, 'TableNotFoundException'],
      ['GetItem', { Key: rows.key('1') }, 'ResourceNotFoundException'],
      ['PutItem', { Item: rows.key('1') }, 'ResourceNotFoundException'],
    ] as const;
    await Promise.all(
      meanwhile.map(([operation, more, code]) =>
        expect(db.call(operation, { TableName: RESTORED, ...more })).rejects.toMatchObject({ code }),
      ),
    );
    await restoring;
    await active(db, RESTORED);
    await db.close();
  });

  it('is described, restored and set up through the client of AWS', async () => {
    const { db, clock } = await open();
    const start = new Date(clock.at);
    clock.at += 60_000;
    const gateway = await startGateway([db.service]);
    const client = new DynamoDBClient(clientOf(gateway));
    const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName: TABLE }));
    expect(backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription).toEqual({
      PointInTimeRecoveryStatus: 'ENABLED',
      RecoveryPeriodInDays: 35,
      EarliestRestorableDateTime: start,
      LatestRestorableDateTime: new Date(clock.at),
    });
    const names = { SourceTableName: TABLE, TargetTableName: RESTORED };
    const made = await client.send(
      new RestoreTableToPointInTimeCommand({ ...names, RestoreDateTime: new Date(clock.at) }),
    );
    expect(made.TableDescription).toMatchObject({
      TableName: RESTORED,
      TableStatus: 'CREATING',
      RestoreSummary: { RestoreInProgress: true, RestoreDateTime: new Date(clock.at) },
    });
    const target = { TableName: RESTORED };
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.1 }, target);
    const restored = await client.send(new DescribeTableCommand(target));
    expect(restored.Table).toMatchObject({ DeletionProtectionEnabled: false, TableStatus: 'ACTIVE' });
    const without = await client.send(new DescribeContinuousBackupsCommand(target));
    expect(without.ContinuousBackupsDescription?.PointInTimeRecoveryDescription).toEqual({
      PointInTimeRecoveryStatus: 'DISABLED',
    });
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' };
    const expiry = () => client.send(new UpdateTimeToLiveCommand({ ...target, TimeToLiveSpecification }));
    await expiry();
    await expect(expiry()).rejects.toMatchObject({ name: 'ValidationException' });
    await client.send(
      new UpdateContinuousBackupsCommand({
        ...target,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    );
    const WarmThroughput = { ReadUnitsPerSecond: 30_000, WriteUnitsPerSecond: 20_000 };
    const change = { ...target, DeletionProtectionEnabled: true, WarmThroughput };
    await client.send(new UpdateTableCommand(change));
    await active(db, RESTORED);
    expect(await described(db, RESTORED)).toMatchObject({ DeletionProtectionEnabled: true, WarmThroughput });
    client.destroy();
    await gateway.close();
    await db.close();
  });

  it('keeps as much as it may, and says how far back it reaches', async () => {
    const { db, clock } = await open(undefined, 20_000);
    await statements(db, rows.insert('1', 'a'.repeat(100), 'w0'));
    const states: { at: number; items: readonly unknown[] }[] = [];
    for (let index = 0; index < 1_000; index += 1) {
      states.push({ at: clock.at, items: await itemsOf(db, TABLE) });
      clock.at += 1;
      await statements(db, rows.update('1', 'a'.repeat(100), `w${index + 1}`, `w${index}`));
    }
    const { body } = await db.call('DescribeContinuousBackups', { TableName: TABLE });
    const Earliest = v.object({
      ContinuousBackupsDescription: v.object({
        PointInTimeRecoveryDescription: v.object({ EarliestRestorableDateTime: v.number() }),
      }),
    });
    const { ContinuousBackupsDescription: backups } = v.parse(Earliest, body);
    const earliest = backups.PointInTimeRecoveryDescription.EarliestRestorableDateTime * 1000;
    const reachable = states.filter(({ at }) => at >= earliest);
    expect(reachable.length).toBeGreaterThan(20);
    expect(reachable.length).toBeLessThan(500);
    await restore(db, reachable[0]?.at ?? 0);
    expect(await itemsOf(db, RESTORED)).toEqual(reachable[0]?.items);
    await db.close();
  });
});

describe('tables in files', () => {
  it('keep their history and their settings over a restart, as do restored tables that nobody names', async () => {
    const dataDir = newFolder();
    const first = await open(dataDir);
    await statements(first.db, rows.insert('1', 'a', 'w'));
    const items = await itemsOf(first.db, TABLE);
    const time = first.clock.at;
    first.clock.at += 1;
    await statements(first.db, rows.update('1', 'b', 'x', 'w'));
    await restore(first.db, time, 'early');
    await first.db.call('UpdateTable', { TableName: 'early', DeletionProtectionEnabled: true });
    await first.db.close();
    const second = await open(dataDir);
    second.clock.at = first.clock.at + 1;
    await statements(second.db, rows.remove('1', 'x'));
    expect(await itemsOf(second.db, 'early')).toEqual(items);
    expect(await described(second.db, 'early')).toMatchObject({ DeletionProtectionEnabled: true });
    await restore(second.db, time);
    expect(await itemsOf(second.db, RESTORED)).toEqual(items);
    await second.db.close();
  });

  it('leave nothing of a restore that ended with the process', async () => {
    const dataDir = newFolder();
    const first = await open(dataDir);
    for (let index = 0; index < 100; index += 1)
      await statements(first.db, rows.insert(String(index), 'a', 'w'));
    await first.db.call('RestoreTableToPointInTime', {
      ...{ SourceTableName: TABLE, TargetTableName: RESTORED, UseLatestRestorableTime: true },
    });
    await first.db.close();
    const second = await open(dataDir);
    await expect(described(second.db, RESTORED)).rejects.toMatchObject({ code: 'ResourceNotFoundException' });
    await second.db.createTable({ ...definition, name: RESTORED });
    expect(await itemsOf(second.db, RESTORED)).toEqual([]);
    await second.db.close();
  });
});
