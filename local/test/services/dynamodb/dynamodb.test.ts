import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { partition, startTable, TABLE, type Statement, itemsOfKeys, wholePartition } from './table.ts';

const table = await startTable();
afterAll(() => table.stop());
let count = 0;
let { pk, key, insert, update } = partition('P');
const batch = (...statements: readonly Statement[]) => table.batch(...statements);

beforeEach(() => {
  ({ pk, key, insert, update } = partition(`P${count++}`));
  table.gateway.meter.reset();
});

describe('the other operations', () => {
  it('a conditional put that fails returns the stored item when asked', async () => {
    const put = new PutItemCommand({
      TableName: TABLE,
      Item: { ...key('1'), a: { S: 'first' } },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await table.client.send(put);
    await expect(table.client.send(put)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { a: { S: 'first' } },
    });
  });

  it('a put over 400 KB is refused', async () => {
    const Item = { ...key('1'), a: { S: 'é'.repeat(205_000) } };
    await expect(table.client.send(new PutItemCommand({ TableName: TABLE, Item }))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  it('a counter adds and returns', async () => {
    const add = new UpdateItemCommand({
      TableName: TABLE,
      Key: key('counter'),
      UpdateExpression: 'ADD #n :by',
      ExpressionAttributeNames: { '#n': 'n' },
      ExpressionAttributeValues: { ':by': { N: '5' } },
      ReturnValues: 'UPDATED_NEW',
    });
    await Promise.all(Array.from({ length: 20 }, () => table.client.send(add)));
    expect((await table.client.send(add)).Attributes).toEqual({ n: { N: '105' } });
  });

  it('a query pages through its partition in order, both ways', async () => {
    const sks = Array.from({ length: 60 }, (_, index) => String(index).padStart(3, '0'));
    for (let at = 0; at < sks.length; at += 25) {
      const PutRequests = sks.slice(at, at + 25).map((sk) => ({ PutRequest: { Item: key(sk) } }));
      await table.client.send(new BatchWriteItemCommand({ RequestItems: { [TABLE]: PutRequests } }));
    }
    const pages = async (ScanIndexForward: boolean) => {
      const seen: (string | undefined)[] = [];
      let from: Record<string, AttributeValue> | undefined;
      do {
        const page = await table.client.send(
          new QueryCommand({
            TableName: TABLE,
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
            ExpressionAttributeValues: { ':pk': pk, ':from': { S: '010' }, ':to': { S: '049' } },
            Limit: 7,
            ScanIndexForward,
            ConsistentRead: true,
            ...(from ? { ExclusiveStartKey: from } : {}),
          }),
        );
        seen.push(...(page.Items ?? []).map(({ sk }) => sk?.S));
        from = page.LastEvaluatedKey;
      } while (from);
      return seen;
    };
    expect(await pages(true)).toEqual(sks.slice(10, 50));
    expect(await pages(false)).toEqual(sks.slice(10, 50).toReversed());
  });

  it('a batch read finds the existing items and leaves out missing items', async () => {
    await batch(insert('1', 'a', 'w'), insert('2', 'b', 'w'));
    const Keys = ['1', '2', '3'].map(key);
    const RequestItems = { [TABLE]: { Keys, ProjectionExpression: 'sk, a', ConsistentRead: true } };
    const answer = await table.client.send(new BatchGetItemCommand({ RequestItems }));
    expect(answer.Responses?.[TABLE]).toEqual([
      { sk: { S: '1' }, a: { S: 'a' } },
      { sk: { S: '2' }, a: { S: 'b' } },
    ]);
    expect(answer.UnprocessedKeys).toEqual({});
  });

  it('a batch read over 16 MB hands the remaining keys back', async () => {
    const big = 'x'.repeat(390 * 1024);
    const Keys = Array.from({ length: 50 }, (_, index) => partition(`L${index}`).key('big'));
    for (const one of Keys)
      await table.client.send(new PutItemCommand({ TableName: TABLE, Item: { ...one, a: { S: big } } }));
    const answer = await table.client.send(new BatchGetItemCommand(itemsOfKeys(Keys)));
    const late = answer.UnprocessedKeys?.[TABLE];
    expect(late?.ConsistentRead).toBe(true);
    expect((late?.Keys?.length ?? 0) + (answer.Responses?.[TABLE]?.length ?? 0)).toBe(50);
    expect(answer.Responses?.[TABLE]?.length).toBe(42);
  });

  it('a batch read of more than 1 MB of a partition hands its remaining keys back', async () => {
    const others = partition('M');
    const big = 'x'.repeat(300 * 1024);
    await batch(others.insert('1', 'a', 'w'));
    for (const sk of ['1', '2', '3', '4', '5']) await batch(insert(sk, big, 'w'));
    const Keys = [...['1', '2', '3', '4', '5'].map(key), others.key('1')];
    const answer = await table.client.send(new BatchGetItemCommand(itemsOfKeys(Keys)));
    const found = answer.Responses?.[TABLE]?.map((item) => ({ pk: item['pk'], sk: item['sk'] }));
    expect(found).toEqual([...['1', '2', '3'].map(key), others.key('1')]);
    expect(answer.UnprocessedKeys?.[TABLE]?.Keys).toEqual(['4', '5'].map(key));
  });

  it('tell a caller that asks which units they consumed', async () => {
    const ReturnConsumedCapacity = 'TOTAL';
    const big = 'x'.repeat(5 * 1024);
    await batch(insert('1', 'a', 'w'), insert('2', big, 'w'));
    const capacity = (units: number) => ({ TableName: TABLE, CapacityUnits: units });
    const Statements = [insert('1', 'a', 'w'), insert('3', big, 'w')];
    const written = new BatchExecuteStatementCommand({ Statements, ReturnConsumedCapacity });
    // A write whose condition fails costs the size of the stored item.
    expect((await table.client.send(written)).ConsumedCapacity).toEqual([capacity(1), capacity(6)]);
    const items = itemsOfKeys(['1', '2', 'none'].map(key));
    const read = new BatchGetItemCommand({ ...items, ReturnConsumedCapacity });
    expect((await table.client.send(read)).ConsumedCapacity).toEqual([capacity(4)]);
    const get = new GetItemCommand({
      TableName: TABLE,
      Key: key('2'),
      ConsistentRead: true,
      ReturnConsumedCapacity,
    });
    expect((await table.client.send(get)).ConsumedCapacity).toEqual(capacity(2));
    const one = new ExecuteStatementCommand({ ...insert('4', 'a', 'w'), ReturnConsumedCapacity });
    expect((await table.client.send(one)).ConsumedCapacity).toEqual(capacity(1));
    const silent = new BatchGetItemCommand(items);
    expect((await table.client.send(silent)).ConsumedCapacity).toBeUndefined();
  });
});

describe('the meter', () => {
  const line = (action: string, kind = 'P') =>
    table.gateway.meter
      .snapshot()
      .find((entry) => entry.action === `dynamodb:${action}` && entry.kind === kind);

  it('counts write units per KB, refused writes included', async () => {
    const kilobytes = 'x'.repeat(2500);
    await batch(insert('1', kilobytes, 'w'), insert('2', 'small', 'w'));
    expect(line('PartiQLInsert')).toMatchObject({ caller: 'tester', calls: 2, writeUnits: 4, readUnits: 0 });
    expect(line('BatchExecuteStatement', 'request')).toMatchObject({ calls: 1 });
    await batch(update('1', 'small', 'w', 'no'));
    expect(line('PartiQLUpdate')).toMatchObject({ calls: 1, writeUnits: 3 });
  });

  it('counts read units per 4 KB, by item for gets and by sum for queries', async () => {
    await batch(insert('1', 'x'.repeat(3000), 'w'), insert('2', 'x'.repeat(3000), 'w'));
    const Keys = ['1', '2', '3'].map(key);
    await table.client.send(new BatchGetItemCommand(itemsOfKeys(Keys)));
    expect(line('BatchGetItem')).toMatchObject({ calls: 3, readUnits: 3 });
    await table.client.send(new QueryCommand(wholePartition(pk)));
    expect(line('Query')).toMatchObject({ calls: 1, readUnits: 2 });
    await table.client.send(new GetItemCommand({ TableName: TABLE, Key: key('1') }));
    expect(line('GetItem')).toMatchObject({ readUnits: 0.5 });
    await table.client.send(new DeleteItemCommand({ TableName: TABLE, Key: key('1') }));
    expect(line('DeleteItem')).toMatchObject({ writeUnits: 3 });
  });
});
