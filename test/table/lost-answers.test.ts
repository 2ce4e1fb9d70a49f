import { describe, expect, it } from 'vitest';
import type { Write } from '../../shared/table/table.ts';
import { found, NONCE, scriptedTable, type ScriptedAnswer } from './scripted-client.ts';

const key = { pk: 'A', sk: 'B' };
const insert: Write = { kind: 'insert', key, set: {} };
const update: Write = { kind: 'update', key, set: {}, expect: { w: 'old' } };
const remove: Write = { kind: 'delete', key, expect: { w: 'old' } };

const item = (w: string): ScriptedAnswer => found({ pk: { S: 'A' }, sk: { S: 'B' }, w: { S: w } });
const failed = (Code: string): ScriptedAnswer => ({ Responses: [{ Error: { Code, Message: '' } }] });
const done: ScriptedAnswer = { Responses: [{}] };

describe('a write whose answer was lost', () => {
  it.each([
    [NONCE, 'applied'],
    ['another', 'refused'],
  ])('and whose repetition is refused looks whose nonce is there: %s, so %s', async (w, outcome) => {
    for (const [write, code] of [
      [insert, 'DuplicateItem'],
      [update, 'ConditionalCheckFailed'],
    ] as const) {
      const { table, sent } = scriptedTable('lost', failed(code), item(w));
      expect(await table.write(write)).toBe(outcome);
      expect(sent).toHaveLength(3);
    }
  });

  it('is gone when it is a delete and no item is there', async () => {
    const { table } = scriptedTable('lost', failed('ConditionalCheckFailed'), found());
    expect(await table.write(remove)).toBe('gone');
  });

  it('counts as refused when it is a delete and the item is still there', async () => {
    const { table } = scriptedTable('lost', failed('ConditionalCheckFailed'), item('old'));
    expect(await table.write(remove)).toBe('refused');
  });
});

describe('a write', () => {
  it('that is refused at its first attempt is refused without a look', async () => {
    const { table, sent } = scriptedTable(failed('ConditionalCheckFailed'));
    expect(await table.write(update)).toBe('refused');
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['gone', found()],
    ['refused', item('new')],
  ])('that deletes and is refused is settled by reading: %s', async (outcome, stored) => {
    const { table, sent } = scriptedTable(failed('ConditionalCheckFailed'), stored);
    expect(await table.write(remove)).toBe(outcome);
    expect(sent).toHaveLength(2);
  });

  it('that failed inside DynamoDB may have been applied', async () => {
    const { table } = scriptedTable(
      failed('InternalServerError'),
      failed('ConditionalCheckFailed'),
      item(NONCE),
    );
    expect(await table.write(update)).toBe('applied');
  });

  it.each([
    'TransactionConflict',
    'ThrottlingError',
    'ProvisionedThroughputExceeded',
    'RequestLimitExceeded',
    'InternalServerError',
  ])('is sent again after %s', async (code) => {
    const { table, sent } = scriptedTable(failed(code), done);
    expect(await table.write(insert)).toBe('applied');
    expect(sent.map(({ operation }) => operation)).toEqual([
      'BatchExecuteStatement',
      'BatchExecuteStatement',
    ]);
  });
});

describe('an increment', () => {
  it('is sent again when its answer was lost, so it may leave a gap, and gives no value twice', async () => {
    const { table, sent } = scriptedTable('lost', { Attributes: { value: { N: '6' } } });
    expect(await table.increment(key, 3)).toBe(6);
    expect(sent.map(({ operation }) => operation)).toEqual(['UpdateItem', 'UpdateItem']);
  });
});

describe('reads', () => {
  it('are strongly consistent, of items and of ranges', async () => {
    const { table, sent } = scriptedTable(item('w'), { Items: [] });
    await table.get(key);
    await table.query('A');
    expect(sent).toMatchObject([
      { operation: 'BatchGetItem', input: { RequestItems: { tidemark: { ConsistentRead: true } } } },
      { operation: 'Query', input: { ConsistentRead: true } },
    ]);
  });
});
