import { ExecuteStatementCommand, QueryCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { INSERT, partition, startTable, TABLE, type Statement } from './table.ts';

const table = await startTable();
afterAll(() => table.stop());
let count = 0;
let { pk, key, insert, update, remove } = partition('P');
const batch = (...statements: readonly Statement[]) => table.batch(...statements);
const get = (sk: string) => table.get(key(sk));

beforeEach(() => {
  ({ pk, key, insert, update, remove } = partition(`P${count++}`));
  table.gateway.meter.reset();
});

describe('PartiQL batches', () => {
  it('insert, update and delete each have their own outcome, and the others are applied', async () => {
    expect(await batch(insert('1', 'a', 'w1'), insert('2', 'b', 'w1'))).toEqual([undefined, undefined]);
    const outcomes = await batch(
      insert('1', 'again', 'w2'),
      update('2', 'changed', 'w2', 'w1'),
      update('3', 'missing', 'w2', 'w1'),
      insert('4', 'new', 'w1'),
    );
    expect(outcomes).toEqual(['DuplicateItem', undefined, 'ConditionalCheckFailed', undefined]);
    expect(await get('1')).toMatchObject({ a: { S: 'a' } });
    expect(await get('2')).toMatchObject({ a: { S: 'changed' }, w: { S: 'w2' } });
    expect(await get('3')).toBeUndefined();
    expect(await get('4')).toMatchObject({ a: { S: 'new' } });
    expect(await batch(remove('1', 'other'), remove('2', 'w2'))).toEqual([
      'ConditionalCheckFailed',
      undefined,
    ]);
    expect(await get('1')).toBeDefined();
    expect(await get('2')).toBeUndefined();
  });

  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.delete.html
  it('a delete of a missing item succeeds, whatever its condition', async () => {
    expect(await batch(remove('1', 'w1'))).toEqual([undefined]);
    await batch(insert('2', 'a', 'w1'));
    expect(await batch(remove('2', 'w1'))).toEqual([undefined]);
    expect(await batch(remove('2', 'w1'))).toEqual([undefined]);
  });

  it('any number of sets and conditions, of any type', async () => {
    const tags = { SS: ['x', 'y'] };
    const withNumber = INSERT.replace("'w'", "'c'");
    await batch({ Statement: withNumber, Parameters: [pk, { S: '1' }, tags, { N: '1.50' }] });
    const statement = `UPDATE "${TABLE}" SET "n"=? SET "m"=? SET "b"=? WHERE "pk"=? AND "sk"=? AND "a"=? AND "c"=?`;
    const deep = { M: { list: { L: [{ BOOL: true }, { NULL: true }] } } };
    const set: AttributeValue[] = [{ N: '007' }, deep, { B: new Uint8Array([1, 2]) }];
    const reordered = { SS: ['y', 'x'] };
    expect(
      await batch({ Statement: statement, Parameters: [...set, pk, { S: '1' }, reordered, { N: '1.5' }] }),
    ).toEqual([undefined]);
    expect(await get('1')).toMatchObject({ n: { N: '7' }, m: deep, b: { B: new Uint8Array([1, 2]) } });
    const wrong = [...set, pk, { S: '1' }, { SS: ['x'] }, { N: '1.5' }];
    expect(await batch({ Statement: statement, Parameters: wrong })).toEqual(['ConditionalCheckFailed']);
  });

  it('two statements on one item fail the whole request', async () => {
    await expect(batch(insert('1', 'a', 'w'), remove('1', 'w'))).rejects.toMatchObject({
      name: 'ValidationException',
    });
    expect(await get('1')).toBeUndefined();
  });

  it('more than 25 statements are refused', async () => {
    const many = Array.from({ length: 26 }, (_, index) => insert(String(index), 'a', 'w'));
    await expect(batch(...many)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it.each([
    ['not PartiQL', 'SELECT * FROM things', []],
    ['a key set', `UPDATE "${TABLE}" SET "sk"=? WHERE pk=? AND sk=?`, [{ S: 'x' }, { S: 'p' }, { S: 's' }]],
    ['half a key', `DELETE FROM "${TABLE}" WHERE pk=?`, [{ S: 'p' }]],
    ['a parameter too few', INSERT, [{ S: 'p' }]],
    ['an empty key', INSERT, [{ S: '' }, { S: 's' }, { S: 'a' }, { S: 'w' }]],
    ['a key of another type', INSERT, [{ N: '1' }, { S: 's' }, { S: 'a' }, { S: 'w' }]],
    ['an item over 400 KB', INSERT, [{ S: 'p' }, { S: 's' }, { S: 'é'.repeat(205_000) }, { S: 'w' }]],
  ])('a statement with %s fails alone', async (_name, Statement, Parameters: AttributeValue[]) => {
    expect(await batch({ Statement, Parameters }, insert('1', 'a', 'w'))).toEqual([
      'ValidationError',
      undefined,
    ]);
  });

  it('an unknown table is the statement’s own error', async () => {
    const elsewhere = { ...insert('1', 'a', 'w'), Statement: INSERT.replace(TABLE, 'nothing') };
    expect(await batch(elsewhere)).toEqual(['ResourceNotFound']);
  });

  it('a single statement refuses with an exception', async () => {
    await table.client.send(new ExecuteStatementCommand(insert('1', 'a', 'w')));
    await expect(table.client.send(new ExecuteStatementCommand(insert('1', 'a', 'w')))).rejects.toMatchObject(
      {
        name: 'DuplicateItemException',
      },
    );
    await expect(
      table.client.send(new ExecuteStatementCommand(update('1', 'a', 'w', 'no'))),
    ).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
    });
  });

  it('of 50 concurrent updates on one state exactly one wins', async () => {
    await batch(insert('1', 'a', 'w0'));
    const racers = Array.from({ length: 50 }, (_, index) =>
      batch(update('1', 'mine', `w${index + 1}`, 'w0')),
    );
    const outcomes = (await Promise.all(racers)).flat();
    expect(outcomes.filter((code) => code === undefined)).toHaveLength(1);
  });

  it('writes keep the secondary index in step', async () => {
    const byW = async (w: string) => {
      const answer = await table.client.send(
        new QueryCommand({
          TableName: TABLE,
          IndexName: 'by-w',
          KeyConditionExpression: 'w = :w',
          ExpressionAttributeValues: { ':w': { S: w } },
        }),
      );
      return answer.Items?.map(({ sk }) => sk?.S);
    };
    const w = `index-${pk.S}`;
    await batch(insert('1', 'a', w));
    expect(await byW(w)).toEqual(['1']);
    await batch(update('1', 'a', `${w}-2`, w));
    expect(await byW(w)).toEqual([]);
    expect(await byW(`${w}-2`)).toEqual(['1']);
  });
});
