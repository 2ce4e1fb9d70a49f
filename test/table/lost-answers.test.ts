import { describe, expect, it } from 'vitest';
import type { Write } from '../../shared/table/table.ts';
import { found, NONCE, scriptedTable, type ScriptedAnswer, type SentCall } from './scripted-client.ts';

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

describe('a transaction', () => {
  const cancelled = (...codes: readonly string[]): ScriptedAnswer => ({
    exception: 'TransactionCanceledException',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
  const writes: readonly Write[] = [insert, { ...update, key: { pk: 'A', sk: 'C' } }];
  const tokensOf = (sent: readonly SentCall[]) =>
    sent
      .filter(({ operation }) => operation === 'ExecuteTransaction')
      .map(({ input }) => input['ClientRequestToken']);

  it('whose answer was lost is sent again under its token, so it is made once', async () => {
    const { table, sent } = scriptedTable('lost', { Responses: [] });
    expect(await table.transact(writes)).toEqual([]);
    expect(new Set(tokensOf(sent)).size).toBe(1);
    expect(sent).toHaveLength(2);
  });

  it.each([
    [NONCE, []],
    ['another', [0]],
  ])('that is refused after a lost answer looks whose nonce is there: %s', async (w, refused) => {
    const { table } = scriptedTable('lost', cancelled('DuplicateItem', 'None'), item(w));
    expect(await table.transact(writes)).toEqual(refused);
  });

  it('that is refused at its first attempt is refused without a look', async () => {
    const { table, sent } = scriptedTable(cancelled('None', 'ConditionalCheckFailed'));
    expect(await table.transact(writes)).toEqual([1]);
    expect(sent).toHaveLength(1);
  });

  it('that is refused for a delete looks: a missing item is deleted, and the rest goes under another token', async () => {
    const { table, sent } = scriptedTable(cancelled('ConditionalCheckFailed', 'None'), found(), {
      Responses: [],
    });
    expect(await table.transact([remove, { ...update, key: { pk: 'A', sk: 'C' } }])).toEqual([]);
    expect(new Set(tokensOf(sent)).size).toBe(2);
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'is sent again after %s',
    async (code) => {
      const { table, sent } = scriptedTable(cancelled('None', code), { Responses: [] });
      expect(await table.transact(writes)).toEqual([]);
      expect(tokensOf(sent)).toHaveLength(2);
    },
  );

  it('that is in progress under its token is asked again', async () => {
    const { table, sent } = scriptedTable({ exception: 'TransactionInProgressException' }, { Responses: [] });
    expect(await table.transact(writes)).toEqual([]);
    expect(new Set(tokensOf(sent)).size).toBe(1);
  });

  it('that is cancelled for an invalid statement fails', async () => {
    const invalid = { name: 'TransactionCanceledException' };
    const { table } = scriptedTable(cancelled('None', 'ValidationError'));
    await expect(table.transact(writes)).rejects.toMatchObject(invalid);
    const { table: another } = scriptedTable(cancelled('ValidationError', 'None'), found());
    await expect(another.transact(writes)).rejects.toMatchObject(invalid);
  });

  it('whose insert is called invalid is refused when the key is taken', async () => {
    const { table } = scriptedTable(cancelled('ValidationError', 'None'), item('another'));
    expect(await table.transact(writes)).toEqual([0]);
  });
});

describe('an item that a transaction holds', () => {
  const held: ScriptedAnswer = { exception: 'TransactionConflictException' };

  it('is put or counted again afterwards', async () => {
    const { table } = scriptedTable(held, {}, held, { Attributes: { value: { N: '6' } } });
    await table.put(key, {});
    expect(await table.increment(key, 3)).toBe(6);
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
