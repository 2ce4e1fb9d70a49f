import { describe, expect, it } from 'vitest';
import { textLike } from '../support/answers.ts';
import { scriptedTable, type ScriptedAnswer } from './scripted-client.ts';

const key = { pk: 'A', sk: 'B' };
const taken: ScriptedAnswer = { Responses: [{ Error: { Code: 'DuplicateItem', Message: '' } }] };

describe('an item that is only added', () => {
  it('is inserted, so that an item under a taken key stays as it is', async () => {
    const { appendOnly, sent } = scriptedTable(taken);
    await appendOnly.add(key, { n: 1 });
    expect(sent).toMatchObject([
      {
        operation: 'BatchExecuteStatement',
        input: { Statements: [{ Statement: textLike(/^INSERT INTO/) }] },
      },
    ]);
  });

  it('counts as stored after a lost answer, and nothing is read', async () => {
    const { appendOnly, sent } = scriptedTable('lost', taken);
    await appendOnly.add(key, { n: 1 });
    expect(sent.map(({ operation }) => operation)).toEqual([
      'BatchExecuteStatement',
      'BatchExecuteStatement',
    ]);
  });

  it('is not taken for stored when DynamoDB refuses the caller', async () => {
    const { appendOnly } = scriptedTable({
      Responses: [{ Error: { Code: 'AccessDenied', Message: 'no' } }],
    });
    await expect(appendOnly.add(key, { n: 1 })).rejects.toThrow('AccessDenied');
  });
});
