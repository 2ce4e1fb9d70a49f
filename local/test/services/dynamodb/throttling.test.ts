import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  ThrottlingException,
  UpdateItemCommand,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createThroughput } from '../../../services/dynamodb/throughput.ts';
import {
  definition,
  partition,
  startTable,
  TABLE,
  type RunningTable,
  itemsOfKeys,
  settingA,
  wholePartition,
} from './table.ts';

/** The clock of the table. It moves only when a test moves it. */
let now = 0;
let table: RunningTable;
const start = async (units: { write: number; read: number }): Promise<void> => {
  await table.stop();
  table = await startTable({ units, now: () => now });
};
beforeEach(async () => {
  now = 1_800_000_000_000;
  table = await startTable({ units: { write: 10, read: 10 }, now: () => now });
});
afterEach(() => table.stop());

const { pk, key, insert, update } = partition('p');
const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));
const inserts = (from: number, to: number) =>
  numbers(to)
    .slice(from)
    .map((sk) => insert(sk, 'a', 'w'));
const count = (codes: readonly (string | undefined)[] | undefined, code: string | undefined): number =>
  codes?.filter((one) => one === code).length ?? 0;
/** Stores 20 items, over several seconds. */
const fill = async (): Promise<void> => {
  await table.batch(...inserts(0, 10));
  now += 1000;
  await table.batch(...inserts(10, 20));
  now += 1000;
};
const getKeys = (keys: readonly string[]) =>
  table.client.send(new BatchGetItemCommand(itemsOfKeys(keys.map(key))));
/** The cost of an action on the items of `partition`. */
const meterLine = (action: string) =>
  table.gateway.meter.snapshot().find((one) => one.action === action && one.kind === 'p');

describe('a table beyond its units', () => {
  it('throttles single statements of a batch, which change nothing and cost nothing', async () => {
    const codes = await table.batch(...inserts(0, 25));
    expect([count(codes, undefined), count(codes, 'ThrottlingError')]).toEqual([10, 15]);
    expect(await table.batch(...inserts(10, 25))).toEqual(Array(15).fill('ThrottlingError'));
    expect(meterLine('dynamodb:PartiQLInsert')).toMatchObject({ calls: 10, writeUnits: 10, throttles: 30 });
    now += 1000;
    expect(await table.batch(...inserts(10, 20))).toEqual(Array(10).fill(undefined));
    expect((await table.db.call('Scan', { TableName: TABLE })).body['Count']).toBe(20);
  });

  it('serves the units of the time that passed, and saves up at most one second', async () => {
    await table.batch(...inserts(0, 10));
    now += 300;
    expect(count(await table.batch(...inserts(10, 25)), undefined)).toBe(3);
    now += 30 * 60_000;
    expect(count(await table.batch(...inserts(13, 38)), undefined)).toBe(10);
  });

  it('counts refused writes, and shows what share of the units they took', async () => {
    await table.batch(...inserts(0, 4));
    const lost = numbers(4).map((sk) => update(sk, 'b', 'w2', 'other'));
    expect(count(await table.batch(...lost), 'ConditionalCheckFailed')).toBe(4);
    const put = { TableName: TABLE, Item: { ...key('0'), w: { S: 'w' } } };
    const twice = new PutItemCommand({ ...put, ConditionExpression: 'attribute_not_exists(pk)' });
    await expect(table.client.send(twice)).rejects.toThrow('conditional');
    expect(count(await table.batch(...inserts(4, 10)), undefined)).toBe(1);
    expect(table.db.loads(TABLE)).toEqual([
      {
        second: now / 1000,
        readUnits: 0,
        writeUnits: 10,
        refusedUnits: 5,
        readThrottles: 0,
        writeThrottles: 5,
      },
    ]);
    expect(meterLine('dynamodb:PartiQLUpdate')).toMatchObject({ writeUnits: 4, refusedUnits: 4 });
    expect(meterLine('dynamodb:PutItem')).toMatchObject({ calls: 1, writeUnits: 1, refusedUnits: 1 });
  });

  it('hands back the keys of a batch read that do not fit', async () => {
    await fill();
    const first = await getKeys(numbers(20));
    expect(first.Responses?.[TABLE]).toHaveLength(10);
    expect(first.UnprocessedKeys?.[TABLE]).toEqual({
      Keys: numbers(20).slice(10).map(key),
      ConsistentRead: true,
    });
  });

  it('refuses a batch read of which nothing fits, with the reason', async () => {
    await fill();
    await getKeys(numbers(10));
    const refusal: unknown = await getKeys(numbers(20)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ThrottlingException);
    expect(refusal).toMatchObject({
      name: 'ThrottlingException',
      $metadata: { httpStatusCode: 400 },
      throttlingReasons: [
        {
          reason: 'TableReadKeyRangeThroughputExceeded',
          resource: 'arn:aws:dynamodb:us-east-1:000000000000:table/things',
        },
      ],
    });
  });

  it('throttles every other read as a whole', async () => {
    await fill();
    await getKeys(numbers(10));
    const TableName = TABLE;
    const reads = [
      () => table.client.send(new GetItemCommand({ TableName, Key: key('1') })),
      () => table.client.send(new QueryCommand(wholePartition(pk))),
      () => table.client.send(new ScanCommand({ TableName })),
    ];
    for (const read of reads) await expect(read()).rejects.toBeInstanceOf(ThrottlingException);
  });

  it('throttles every other write as a whole, and changes nothing', async () => {
    await table.batch(...inserts(0, 10));
    const TableName = TABLE;
    const Item = { ...key('new'), w: { S: 'w' } };
    const writes = [
      () => table.client.send(new PutItemCommand({ TableName, Item })),
      () => table.client.send(new UpdateItemCommand(settingA(key('1'), 'b'))),
      () => table.client.send(new DeleteItemCommand({ TableName, Key: key('1') })),
      () =>
        table.client.send(
          new BatchWriteItemCommand({ RequestItems: { [TABLE]: [{ PutRequest: { Item } }] } }),
        ),
      () => table.client.send(new ExecuteStatementCommand(insert('new', 'a', 'w'))),
    ];
    for (const write of writes) await expect(write()).rejects.toBeInstanceOf(ThrottlingException);
    expect(await table.get(key('new'))).toBeUndefined();
    expect(await table.get(key('1'))).toMatchObject({ a: { S: 'a' } });
  });

  it('hands back the items of a batch write that do not fit', async () => {
    const requests = numbers(25).map((sk) => ({ PutRequest: { Item: key(sk) } }));
    const answer = await table.client.send(
      new BatchWriteItemCommand({ RequestItems: { [TABLE]: requests } }),
    );
    expect(answer.UnprocessedItems).toEqual({ [TABLE]: requests.slice(10) });
    expect((await table.db.call('Scan', { TableName: TABLE })).body['Count']).toBe(10);
  });

  it('lets later reads pay for a query that cost more than was left', async () => {
    await start({ write: 1000, read: 10 });
    await table.batch(...numbers(20).map((sk) => insert(sk, 'x'.repeat(8 * 1024), 'w')));
    // 20 items of 8 KB cost 41 units, which the table serves in 4.1 s.
    expect((await table.client.send(new QueryCommand(wholePartition(pk)))).Count).toBe(20);
    now += 3000;
    await expect(getKeys(['1'])).rejects.toBeInstanceOf(ThrottlingException);
    now += 200;
    expect((await getKeys(['1'])).Responses?.[TABLE]).toHaveLength(1);
  });

  it('leaves the units of other tables alone', async () => {
    await table.db.createTable({ ...definition, name: 'others' });
    await table.batch(...inserts(0, 10));
    const Item = { ...key('1'), w: { S: 'w' } };
    await table.client.send(new PutItemCommand({ TableName: 'others', Item }));
    await expect(table.client.send(new PutItemCommand({ TableName: TABLE, Item }))).rejects.toBeInstanceOf(
      ThrottlingException,
    );
  });
});

describe('a partition key beyond its units', () => {
  const others = partition('q');

  it('takes 1,000 write units a second, whatever the table has', async () => {
    await start({ write: 10_000, read: 10_000 });
    const item = 'x'.repeat(100 * 1024 - 100);
    const codes = await table.batch(...numbers(12).map((sk) => insert(sk, item, 'w')));
    expect([count(codes, undefined), count(codes, 'ThrottlingError')]).toEqual([10, 2]);
    expect(await table.batch(others.insert('1', 'a', 'w'))).toEqual([undefined]);
    now += 100;
    expect(await table.batch(insert('10', item, 'w'))).toEqual([undefined]);
  });

  it('takes 3,000 read units a second, whatever the table has', async () => {
    await start({ write: 10_000, read: 10_000 });
    await table.batch(insert('1', 'x'.repeat(390 * 1024), 'w'), others.insert('1', 'a', 'w'));
    const get = (Key: Record<string, AttributeValue>) =>
      table.client.send(new GetItemCommand({ TableName: TABLE, Key, ConsistentRead: true }));
    // One read costs 98 units, so the 31st read takes the last units.
    for (let read = 0; read < 31; read++) await get(key('1'));
    await expect(get(key('1'))).rejects.toBeInstanceOf(ThrottlingException);
    expect((await get(others.key('1'))).Item).toBeDefined();
  });

  it('stays throttled while the table forgets the load of tens of thousands of other keys', () => {
    const throughput = createThroughput({ units: { write: 1e9, read: 1e9 }, now: () => now });
    const write = (key: string, units: number) =>
      throughput.admit({ access: 'write', table: TABLE, partition: key, units });
    expect(write('hot', 2000)).toBe(true);
    for (const name of numbers(15_000)) write(`early-${name}`, 1);
    now += 500;
    for (const name of numbers(15_000)) write(`late-${name}`, 1);
    expect(write('hot', 1)).toBe(false);
    now += 501;
    expect(write('hot', 1)).toBe(true);
  });
});
