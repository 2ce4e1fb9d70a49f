import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createDynamoDb, type DynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import { bothEngines } from './compare.ts';
import type { External, ExternalAnswer } from './external.ts';

const TABLE = 'tidemark';
const keyOf = (name: string) => ({ name, type: 'S' }) as const;
const key = { pk: { S: 'p' }, sk: { S: 's' } };
const put = (a: string) => ({ TableName: TABLE, Item: { ...key, a: { S: a } } });
const get = { TableName: TABLE, Key: key, ConsistentRead: true };

/** Changes an answer of the other engine, or swallows the call. */
type Fault = (operation: string, answer: () => Promise<ExternalAnswer>) => Promise<ExternalAnswer>;

/** The embedded engine beside another embedded engine that has a fault. */
const openFaulty = async (fault: Fault) => {
  const other = await createDynamoDb();
  const external: External = {
    send: (operation, body) => fault(operation, () => sendTo(other, operation, body)),
    createTable: (definition) => other.createTable(definition),
  };
  const both = bothEngines(await createDynamoDb(), external);
  await both.createTable({ name: TABLE, partitionKey: keyOf('pk'), sortKey: keyOf('sk') });
  return both;
};

const nobody = { accessKeyId: '', name: 'nobody', principal: '', policy: [] };

const sendTo = async (db: DynamoDb, operation: string, body: string): Promise<ExternalAnswer> => {
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
  const request = {
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers,
    body: Buffer.from(body),
  };
  const answer = await db.service.handle(request, nobody);
  return { status: answer.status, body: v.parse(v.string(), answer.body) };
};

const altered =
  (operation: string, from: string, to: string): Fault =>
  async (called, answer) => {
    const { status, body } = await answer();
    return { status, body: called === operation ? body.replace(from, to) : body };
  };

describe('the comparison of two engines', () => {
  it('finds no difference between equal engines', async () => {
    const both = await openFaulty((_, answer) => answer());
    await both.answer('PutItem', put('x'));
    await both.answer('GetItem', get);
    await both.answer('PutItem', { TableName: TABLE, Item: {} });
    await expect(both.close()).resolves.toBeUndefined();
  });

  it.each([
    ['another value', 'PutItem', altered('GetItem', '"x"', '"y"')],
    ['another error code', 'PutItem', altered('PutItem', 'ConditionalCheckFailed', 'Validation')],
  ])('finds %s', async (_, operation, fault) => {
    const both = await openFaulty(fault);
    await both.answer(operation, put('x'));
    await both.answer('GetItem', get);
    await both.answer(operation, { ...put('z'), ConditionExpression: 'attribute_not_exists(pk)' });
    expect(both.differences).toHaveLength(1);
    await expect(both.close()).rejects.toThrow('the engines differ');
  });

  it('finds a write that one engine has not made, although the answers are alike', async () => {
    const both = await openFaulty((operation, answer) =>
      operation === 'PutItem' ? Promise.resolve({ status: 200, body: '{}' }) : answer(),
    );
    await both.answer('PutItem', put('x'));
    expect(both.differences).toEqual([]);
    await expect(both.close()).rejects.toThrow('only the embedded engine has');
  });

  it('sends calls on one partition in the same order to both, although one of them is slower', async () => {
    let left = 10;
    const both = await openFaulty(async (operation, answer) => {
      // The first calls take the most turns of the event loop.
      for (let turn = left--; turn > 0 && operation === 'PutItem'; turn -= 1) await new Promise(setImmediate);
      return answer();
    });
    const names = Array.from({ length: 10 }, (_, at) => `a${at}`);
    await Promise.all(names.map((name) => both.answer('PutItem', put(name))));
    await expect(both.close()).resolves.toBeUndefined();
  });

  it('waits at its end for a write that only one engine has made', async () => {
    const both = await openFaulty(async (operation, answer) => {
      for (let turn = 50; turn > 0 && operation === 'PutItem'; turn -= 1) await new Promise(setImmediate);
      return answer();
    });
    const written = both.answer('PutItem', put('x'));
    await expect(both.close()).resolves.toBeUndefined();
    await written;
  });

  it.each([
    ['an eventually consistent read', 'GetItem', { ...get, ConsistentRead: false }, '"w"'],
    ['a scan', 'Scan', { TableName: TABLE }, '"x"'],
  ])('allows the documented difference of %s', async (_, operation, input, told) => {
    const both = await openFaulty(altered(operation, told, '"y"'));
    await both.answer('PutItem', put('w'));
    await both.answer('PutItem', put('x'));
    await both.answer(operation, input);
    expect(both.differences).toEqual([]);
  });

  it('allows a conditional delete of a missing item to be refused, and no other refusal', async () => {
    const condition = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
    const both = await openFaulty((operation, answer) =>
      operation === 'BatchExecuteStatement'
        ? Promise.resolve({ status: 200, body: JSON.stringify({ Responses: [{ Error: condition }] }) })
        : answer(),
    );
    const run = (Statement: string) =>
      both.answer('BatchExecuteStatement', {
        Statements: [{ Statement, Parameters: [{ S: 'p' }, { S: 's' }, { S: 'a' }] }],
      });
    await run(`DELETE FROM "${TABLE}" WHERE pk=? AND sk=? AND a=?`);
    expect(both.differences).toEqual([]);
    await run(`INSERT INTO "${TABLE}" VALUE {'pk':?, 'sk':?, 'a':?}`);
    expect(both.differences).toHaveLength(1);
  });
});
