import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../services/dynamodb/dynamodb.ts';
import { newFolders } from '../../support/folders.ts';
import { openDb, partition, TABLE, wholePartition } from './table.ts';

const newFolder = newFolders();
const rows = partition('p');
const sks = Array.from({ length: 40 }, (_, index) => `k${String(index).padStart(2, '0')}`);

/** Big enough that the limit of 1 MB ends a page in the middle. */
const itemOf = (sk: string, index: number) => ({
  ...rows.key(sk),
  w: { S: 'w' },
  n: { N: String(index * 1.5 - 7) },
  a: { M: { parts: { L: [{ S: 'ä'.repeat(index * 2_500) }, { NULL: true }, { BOOL: false }] } } },
});

const whole = { condition: 'pk = :pk', values: {} };
const ranges = [
  whole,
  { condition: 'pk = :pk AND sk = :a', values: { ':a': { S: 'k07' } } },
  { condition: 'pk = :pk AND sk = :a', values: { ':a': { S: 'none' } } },
  { condition: 'pk = :pk AND sk < :a', values: { ':a': { S: 'k07' } } },
  { condition: 'pk = :pk AND sk >= :a', values: { ':a': { S: 'k31' } } },
  { condition: 'pk = :pk AND begins_with(sk, :a)', values: { ':a': { S: 'k1' } } },
  { condition: 'pk = :pk AND sk BETWEEN :a AND :b', values: { ':a': { S: 'k03' }, ':b': { S: 'k09' } } },
];
const others = [
  {},
  { Limit: 1 },
  { Limit: 7 },
  { Limit: 40 },
  { ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' },
  { ReturnConsumedCapacity: 'TOTAL' },
  { Select: 'COUNT' },
  { ProjectionExpression: 'n, a.parts[1]', Limit: 3 },
  { ExclusiveStartKey: rows.key('k05'), ConsistentRead: true },
];

const Page = v.object({
  Items: v.array(v.unknown()),
  LastEvaluatedKey: v.optional(v.looseObject({})),
});
type Page = v.InferOutput<typeof Page>;

/** The JSON that the service answers to a query. */
const answered = async (db: DynamoDb | undefined, input: object): Promise<unknown> => {
  const request = {
    ...{ method: 'POST', path: '/', query: new URLSearchParams() },
    headers: { 'x-amz-target': 'DynamoDB_20120810.Query' },
    body: Buffer.from(JSON.stringify(input)),
  };
  const answer = await db?.service.handle(request, anyone);
  const { body } = v.parse(v.object({ body: v.union([v.string(), v.instance(Buffer)]) }), answer);
  return JSON.parse(body.toString());
};

const anyone = { accessKeyId: 'id', name: 'anyone', principal: 'arn', policy: [] };

/** This filter lets all items through, and dynalite reads queries with filters by itself. */
const everything = 'attribute_exists(w)';

describe.each([
  ['in memory', undefined],
  ['in files', newFolder()],
])('the page of a query %s', (_, dataDir) => {
  const opened: { db?: DynamoDb } = {};
  const call = async (input: object): Promise<unknown> => (await opened.db?.call('Query', input))?.body;
  beforeAll(async () => {
    const db = (opened.db = await openDb(dataDir));
    for (const [index, sk] of sks.entries())
      await db.call('PutItem', { TableName: TABLE, Item: itemOf(sk, index) });
    await db.call('PutItem', { TableName: TABLE, Item: { ...partition('q').key('k00'), w: { S: 'w' } } });
  });
  afterAll(() => opened.db?.close());

  it.each(ranges)('is that of dynalite: $condition', async ({ condition, values }) => {
    for (const other of others) {
      for (const ScanIndexForward of [true, false]) {
        if ('ExclusiveStartKey' in other && condition !== whole.condition) continue;
        const input = {
          ...{ TableName: TABLE, KeyConditionExpression: condition, ScanIndexForward, ...other },
          ExpressionAttributeValues: { ':pk': rows.pk, ...values },
        };
        expect(await call(input)).toEqual(await call({ ...input, FilterExpression: everything }));
      }
    }
  });

  it('is the same as an answer over the wire', async () => {
    for (const other of others) {
      const input = { ...wholePartition(rows.pk), ...other };
      expect(await answered(opened.db, input)).toEqual(await call(input));
    }
  });

  it('ends within the limit of 1 MB, and the next page goes on', async () => {
    const all = wholePartition(rows.pk);
    const found: unknown[] = [];
    let pages = 0;
    let next: object | undefined = {};
    while (next) {
      const page: Page = v.parse(Page, await call({ ...all, ...next }));
      pages += 1;
      found.push(...page.Items);
      next = page.LastEvaluatedKey && { ExclusiveStartKey: page.LastEvaluatedKey };
    }
    expect(pages).toBeGreaterThan(1);
    expect(found).toEqual(sks.map(itemOf));
  });
});
