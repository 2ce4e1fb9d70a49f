import { beforeEach, expect, it } from 'vitest';
import { jsonOf } from '../support/answers.ts';
import { sampleHarness } from './route.ts';
import { requestIdentityOf } from '../../shared/table/idempotent-ids.ts';

let sample: Awaited<ReturnType<typeof sampleHarness>>;
beforeEach(async () => {
  sample = await sampleHarness();
});

const withKey = (key: string, more = {}) => sample.send({ headers: { 'Idempotency-Key': key }, ...more });

it('a POST with a key runs once', async () => {
  const [first, second] = [await withKey('k'), await withKey('k')];
  expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
  expect(second.body).toBe(first.body);
  expect(sample.seen.map(({ keyed }) => keyed)).toEqual([true]);
});

it('a POST without a key runs each time, under a new request key', async () => {
  await sample.send();
  await sample.send();
  expect(new Set(sample.seen.map(({ requestKey }) => requestKey)).size).toBe(2);
  expect(sample.seen.map(({ keyed }) => keyed)).toEqual([false, false]);
});

it.each(['', 'x'.repeat(256), 'a b', 'é', 'a\u0007'])('the key %j is answered with 400', async (key) => {
  expect((await withKey(key)).statusCode).toBe(400);
  expect(sample.seen).toHaveLength(0);
});

it('a request with another body or resource under the same key is answered with 422', async () => {
  await withKey('k');
  const parameters = { property_id: String(sample.demo.property), thing_id: '8' };
  for (const more of [{ body: { name: 'y' } }, { parameters }]) {
    const answer = await withKey('k', more);
    expect([answer.statusCode, jsonOf(answer)['code']]).toEqual([422, 'idempotency_key_reused']);
  }
});

it('a request with another query under the same key is answered with 422', async () => {
  expect((await withKey('k', { query: 'limit=5' })).statusCode).toBe(201);
  expect((await withKey('k', { query: 'limit=6' })).statusCode).toBe(422);
  expect((await withKey('k', { query: 'limit=5' })).statusCode).toBe(201);
  expect(sample.seen).toHaveLength(1);
});

it('a refused request does not use up its key', async () => {
  expect((await withKey('k', { body: { name: '' } })).statusCode).toBe(422);
  expect((await withKey('k')).statusCode).toBe(201);
});

it('a use case looks for an earlier result only when the request came with a key', () => {
  const request = { property: { id: 7, account: 1 }, requestKey: 'c', now: 5 };
  expect(requestIdentityOf(request)).toEqual({ property: 7, requestKey: 'c', again: false, now: 5 });
  expect(requestIdentityOf({ ...request, keyed: true })).toEqual({
    property: 7,
    requestKey: 'c',
    again: true,
    now: 5,
  });
});
