import { describe, expect, it } from 'vitest';
import type { AwsRequest } from '../../core/types.ts';
import { partialBatch } from '../../gateway/partial.ts';

const request = (body: object): AwsRequest => ({
  method: 'POST',
  path: '/',
  query: new URLSearchParams(),
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});
const answer = (body: object) => ({ status: 200, headers: {}, body: JSON.stringify(body) });
const parsed = (body: unknown): unknown => JSON.parse(String(body));

const ids = ['0', '1', '2', '3', '4', '5', '6', '7'];
const seeds = [0, 0.1, 0.25, 0.5, 0.75, 0.999_999];

/** The members of a shortened list and the members that the answer reports as unprocessed. */
const outcomeOf = (operation: string, body: object, random: number, reply: (sent: unknown) => object) => {
  const partial = partialBatch(operation, request(body), random);
  if (!partial) throw new Error(`${operation} was not shortened`);
  const sent = parsed(partial.request.body);
  return { sent, answered: parsed(partial.complete(answer(reply(sent))).body) };
};

describe('a partial batch', () => {
  it.each(seeds)('of statements throttles the removed statements in their places (seed %d)', (random) => {
    const Statements = ids.map((Statement) => ({ Statement }));
    const { answered, sent } = outcomeOf('BatchExecuteStatement', { Statements }, random, (forwarded) => ({
      Responses: Object.values(forwarded ?? {}).flat(),
    }));
    const responses = ids.map((Statement, index) => {
      const kept = JSON.stringify(sent).includes(`"${Statement}"`);
      return kept ? Statements[index] : { Error: { Code: 'ThrottlingError', Message: 'Rate exceeded' } };
    });
    expect(answered).toEqual({ Responses: responses });
    expect(JSON.stringify(answered)).toContain('ThrottlingError');
    expect(JSON.stringify(answered)).toContain('"Statement"');
  });

  it.each(seeds)('of writes returns the removed writes as unprocessed (seed %d)', (random) => {
    const writes = ids.map((id) => ({ PutRequest: { Item: { id } } }));
    const body = { RequestItems: { t: writes } };
    const { answered, sent } = outcomeOf('BatchWriteItem', body, random, () => ({ UnprocessedItems: {} }));
    const kept = writes.filter((write) => JSON.stringify(sent).includes(JSON.stringify(write)));
    const left = writes.filter((write) => !kept.includes(write));
    expect(answered).toEqual({ UnprocessedItems: { t: left } });
    expect([kept.length > 0, left.length > 0]).toEqual([true, true]);
  });

  it('of reads returns the removed keys before the keys that the table left over, with the settings of the request', () => {
    const body = { RequestItems: { t: { Keys: ids, ConsistentRead: true } } };
    const late = { UnprocessedKeys: { t: { Keys: ['late'] } } };
    const { answered } = outcomeOf('BatchGetItem', body, 0.3, () => late);
    expect(answered).toMatchObject({ UnprocessedKeys: { t: { ConsistentRead: true } } });
    expect(JSON.stringify(answered)).toMatch(/"\d".*"late"/);
  });

  it.each(['SendMessageBatch', 'DeleteMessageBatch', 'ChangeMessageVisibilityBatch'])(
    'of %s adds the removed entries to the failed entries, as an error of the service',
    (operation) => {
      const Entries = ids.map((Id) => ({ Id }));
      const { answered, sent } = outcomeOf(operation, { Entries }, 0.3, () => ({
        Failed: [{ Id: 'own', SenderFault: true }],
      }));
      const removed = ids.filter((Id) => !JSON.stringify(sent).includes(`"${Id}"`));
      const failures = removed.map((Id): unknown => expect.objectContaining({ Id, SenderFault: false }));
      expect(answered).toEqual({ Failed: [{ Id: 'own', SenderFault: true }, ...failures] });
    },
  );

  it.each([
    ['BatchExecuteStatement', { Statements: [{ Statement: '0' }] }],
    ['BatchWriteItem', { RequestItems: { t: [{}] } }],
    ['BatchGetItem', { RequestItems: { t: { Keys: ['0'] } } }],
    ['SendMessageBatch', { Entries: [{ Id: '0' }] }],
    ['GetItem', { Key: {} }],
  ])('cannot be made of %s %j', (operation, body) => {
    expect(partialBatch(operation, request(body), 0.5)).toBeUndefined();
  });

  it('leaves a refusal of the service unchanged', () => {
    const partial = partialBatch('SendMessageBatch', request({ Entries: [{ Id: '0' }, { Id: '1' }] }), 0.5);
    const refusal = { status: 400, headers: {}, body: '{"__type":"QueueDoesNotExist"}' };
    expect(partial?.complete(refusal)).toEqual(refusal);
  });
});
