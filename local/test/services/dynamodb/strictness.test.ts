import {
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { partition, startTable, TABLE, type Statement, settingA, wholePartition } from './table.ts';

const table = await startTable();
afterAll(() => table.stop());
let count = 0;
let { pk, key, insert, update, remove } = partition('P');

beforeEach(() => {
  ({ pk, key, insert, update, remove } = partition(`P${count++}`));
});

interface Asked {
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
  readonly start?: string;
  readonly forward?: boolean;
  readonly consistent?: boolean;
}
const query = async ({ condition, values, start, forward = true, consistent = true }: Asked) => {
  const texts = Object.entries(values).map(([name, S]): [string, AttributeValue] => [name, { S }]);
  const { Items = [], Count } = await table.client.send(
    new QueryCommand({
      TableName: TABLE,
      KeyConditionExpression: `pk = :pk${condition}`,
      ExpressionAttributeValues: { ':pk': pk, ...Object.fromEntries(texts) },
      ScanIndexForward: forward,
      ConsistentRead: consistent,
      ...(start === undefined ? {} : { ExclusiveStartKey: key(start) }),
    }),
  );
  expect(Count).toBe(Items.length);
  return Items.map(({ sk, a }) => `${sk?.S ?? ''}:${a?.S ?? ''}`);
};

describe('a batch with one value that cannot be stored fails as a whole', () => {
  const withValue = (sk: string, value: AttributeValue): Statement => {
    const statement = insert(sk, 'x', 'w');
    return { ...statement, Parameters: statement.Parameters.with(2, value) };
  };

  it.each<[string, AttributeValue]>([
    ['a number of 39 digits', { N: '1'.repeat(39) }],
    ['a number that is too large', { N: '1e126' }],
    ['a text for a number', { N: 'NaN' }],
    ['a map with an empty name', { M: { '': { S: 'x' } } }],
    ['an empty name deep within', { L: [{ M: { a: { M: { '': { S: 'x' } } } } }] }],
  ])('%s', async (_, value) => {
    const statements = [insert('1', 'x', 'w'), withValue('2', value), insert('3', 'x', 'w')];
    await expect(table.batch(...statements)).rejects.toMatchObject({ name: 'ValidationException' });
    expect(await table.get(key('1'))).toBeUndefined();
    expect(await table.get(key('3'))).toBeUndefined();
  });

  it('an item of a put with an empty name in a map is refused too', async () => {
    const Item = { ...key('1'), a: { M: { '': { S: 'x' } } } };
    await expect(table.client.send(new PutItemCommand({ TableName: TABLE, Item }))).rejects.toThrow(
      'name of an attribute',
    );
  });
});

describe('a query', () => {
  const between = { condition: ' AND sk BETWEEN :low AND :high', values: { ':low': '1', ':high': '3' } };

  it.each([
    [' AND sk >= :low', { ':low': '' }],
    [' AND sk BETWEEN :low AND :high', { ':low': '', ':high': '3' }],
    [' AND begins_with(sk, :low)', { ':low': '' }],
  ])('with an empty text as a bound is refused: %s', async (condition, values) => {
    await expect(query({ condition, values })).rejects.toThrow('empty string value. Key: sk');
  });

  it.each([
    [{ Select: 'ALL_PROJECTED_ATTRIBUTES' }, 'only when Querying using an IndexName'],
    [{ Select: 'COUNT', ProjectionExpression: 'a' }, 'Cannot specify the ProjectionExpression'],
    [{ Select: 'ALL_ATTRIBUTES', ProjectionExpression: 'a' }, 'Cannot specify the ProjectionExpression'],
  ] as const)('that contradicts itself is refused: %j', async (asked, message) => {
    const query = new QueryCommand({ ...wholePartition(pk), ...asked });
    await expect(table.client.send(query)).rejects.toThrow(message);
  });

  it('cannot start on the bound at which it ends', async () => {
    const outside = 'outside query boundaries';
    await expect(query({ ...between, start: '3' })).rejects.toThrow(outside);
    await expect(query({ ...between, start: '1', forward: false })).rejects.toThrow(outside);
    const lower = { condition: ' AND sk >= :low', values: { ':low': '1' } };
    await expect(query({ ...lower, start: '1', forward: false })).rejects.toThrow(outside);
    const upper = { condition: ' AND sk <= :high', values: { ':high': '3' } };
    await expect(query({ ...upper, start: '3' })).rejects.toThrow(outside);
  });

  it('may start on the bound at which it begins', async () => {
    await table.batch(insert('1', 'a', 'w'), insert('2', 'b', 'w'), insert('3', 'c', 'w'));
    expect(await query({ ...between, start: '1' })).toEqual(['2:b', '3:c']);
    expect(await query({ ...between, start: '3', forward: false })).toEqual(['2:b', '1:a']);
  });
});

describe('a condition', () => {
  const remove = (ConditionExpression: string, value?: AttributeValue) =>
    table.client
      .send(
        new DeleteItemCommand({
          TableName: TABLE,
          Key: key('1'),
          ConditionExpression,
          ...(value ? { ExpressionAttributeValues: { ':v': value } } : {}),
        }),
      )
      .then(
        () => 'deleted',
        (error: unknown) => (error instanceof Error ? error.name : ''),
      );

  it.each<[string, AttributeValue]>([
    ['a < :v', { L: [] }],
    ['a >= :v', { NULL: true }],
    ['a > :v', { BOOL: true }],
    ['a <= :v', { SS: ['x'] }],
    ['size(a) > :v', { M: {} }],
    ['a BETWEEN :v AND :v', { L: [] }],
    ['NOT (w = :v OR a < :v)', { NS: ['1'] }],
  ])('that orders values without an order is refused: %s with %j', async (condition, value) => {
    expect(await remove(condition, value)).toBe('ValidationException');
  });

  it('on two missing attributes finds them unequal', async () => {
    await table.batch(insert('1', 'a', 'w'));
    expect(await remove('x = y')).toBe('ConditionalCheckFailedException');
    expect(await remove('a = x OR x = a')).toBe('ConditionalCheckFailedException');
    expect(await remove('attribute_exists(a) AND x = y')).toBe('ConditionalCheckFailedException');
    expect(await remove('x <> y')).toBe('deleted');
  });
});

describe('an eventually consistent read returns the item before the last write', () => {
  const reads = async (sk: string, ConsistentRead: boolean) => {
    const { Item } = await table.client.send(
      new GetItemCommand({ TableName: TABLE, Key: key(sk), ConsistentRead }),
    );
    const RequestItems = { [TABLE]: { Keys: [key(sk)], ConsistentRead } };
    const { Responses } = await table.client.send(new BatchGetItemCommand({ RequestItems }));
    const condition = { condition: ' AND sk = :sk', values: { ':sk': sk } };
    const [found] = await query({ ...condition, consistent: ConsistentRead });
    const values = [Item?.['a']?.S, Responses?.[TABLE]?.[0]?.['a']?.S, found?.split(':')[1]];
    return new Set(values);
  };

  it('a statement reads the item before the last write', async () => {
    await table.batch(insert('1', 'first', 'w'));
    expect(await reads('1', false)).toEqual(new Set([undefined]));
    expect(await reads('1', true)).toEqual(new Set(['first']));
    await table.batch(update('1', 'second', 'x', 'w'));
    expect(await reads('1', false)).toEqual(new Set(['first']));
    expect(await reads('1', true)).toEqual(new Set(['second']));
    await table.batch(update('1', 'refused', 'x', 'w'));
    expect(await reads('1', false)).toEqual(new Set(['first']));
  });

  it('an item read returns the item before the last write', async () => {
    const put = (a: string) =>
      table.client.send(new PutItemCommand({ TableName: TABLE, Item: { ...key('1'), a: { S: a } } }));
    await put('first');
    expect(await reads('1', false)).toEqual(new Set([undefined]));
    await put('second');
    expect(await reads('1', false)).toEqual(new Set(['first']));
    await table.client.send(new UpdateItemCommand(settingA(key('1'), 'third')));
    expect(await reads('1', false)).toEqual(new Set(['second']));
    expect(await reads('1', true)).toEqual(new Set(['third']));
  });

  it('a read by key returns an item that the last write deleted', async () => {
    await table.batch(insert('1', 'first', 'w'), insert('2', 'first', 'w'));
    await table.batch(remove('1', 'w'));
    await table.client.send(new DeleteItemCommand({ TableName: TABLE, Key: key('2') }));
    for (const sk of ['1', '2']) {
      const { Item } = await table.client.send(new GetItemCommand({ TableName: TABLE, Key: key(sk) }));
      expect(Item?.['a']?.S).toBe('first');
      expect(await table.get(key(sk))).toBeUndefined();
    }
  });
});
