import { beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../shared/runtime/hash.ts';
import { must, tokenOf } from '../auth/harness.ts';
import { jsonOf, problemOf } from '../support/answers.ts';
import type { Sent } from '../support/api-event.ts';
import { memoryRate } from '../support/rates.ts';
import { eventOf, sampleHarness } from './route.ts';

let sample: Awaited<ReturnType<typeof sampleHarness>>;
/** The token of an owner that may only look. */
let narrow: string;
beforeEach(async () => {
  sample = await sampleHarness();
  narrow = await tokenOf(sample.harness, sample.demo, { scope: 'definitions.read' });
});

const ask = (token: string, sent: Sent = {}, property = sample.demo.property) =>
  sample.handler(eventOf(property, token, sent));
const records = () => sample.harness.table.items('idempotency');
const key = { 'idempotency-key': 'k' };

/** Asks for an account that may send so many requests a second. */
const limitedTo = async (perSecond: number) => {
  const rate = memoryRate(sample.harness.deps, perSecond);
  const limited = await sampleHarness(undefined, { rate: () => rate });
  const send = (token: string, sent: Sent = {}, property = limited.demo.property) =>
    limited.handler(eventOf(property, token, sent));
  const asked = await tokenOf(limited.harness, limited.demo, { scope: 'definitions.read' });
  return Object.assign(send, { narrow: asked });
};

describe('the order of refusals', () => {
  it('a request that could be refused for everything is refused for its token, its rate, its property, its permission, its body', async () => {
    const broken = { body: '{', query: 'x', headers: key };
    const spent = await limitedTo(0);
    expect((await spent('0'.repeat(64), broken, 8_999_999)).statusCode).toBe(401);
    expect((await spent(spent.narrow, broken, 8_999_999)).statusCode).toBe(429);
    expect((await ask(narrow, broken, 8_999_999)).statusCode).toBe(404);
    expect((await ask(narrow, { ...broken, headers: { 'content-type': 'text/plain' } })).statusCode).toBe(
      403,
    );
    expect((await ask(sample.tokens.demo, broken)).statusCode).toBe(400);
    expect(records()).toEqual([]);
  });
});

describe('a request that its token may not make', () => {
  it('takes no Idempotency-Key, so that a wider token may use it', async () => {
    expect((await ask(narrow, { headers: key })).statusCode).toBe(403);
    expect(records()).toEqual([]);
    expect((await ask(sample.tokens.demo, { headers: key })).statusCode).toBe(201);
  });

  it('gets no answer that is kept for a wider token', async () => {
    const first = await ask(sample.tokens.demo, { headers: key });
    const kept = await ask(sample.tokens.demo, { headers: key });
    expect(kept.headers['idempotency-replayed']).toBe('true');
    const refused = await ask(narrow, { headers: key });
    expect(problemOf(refused)).toMatchObject({ status: 403, code: 'not_permitted' });
    expect(refused.headers['idempotency-replayed']).toBeUndefined();
    expect(jsonOf(kept)).toEqual(jsonOf(first));
    expect(sample.seen).toHaveLength(1);
  });

  it('is in the audit log, with the mark of the token and the ids of its address', async () => {
    await ask(narrow, { body: { name: 'canary' } });
    const [entry, ...others] = sample.harness.auditLog.items().filter(({ action }) => action !== 'sign-in');
    expect(entry).toMatchObject({
      ...{ outcome: '403', token: sha256(narrow).slice(0, 8), user: 1, property: sample.demo.property },
      ids: { thing_id: '7' },
    });
    expect(others).toEqual([]);
    expect(JSON.stringify(entry)).not.toContain('canary');
  });

  it('counts against the rate of the account', async () => {
    const limited = await limitedTo(1);
    const answers = [];
    for (let count = 0; count < 15; count += 1) answers.push((await limited(limited.narrow)).statusCode);
    expect(new Set(answers)).toEqual(new Set([403, 429]));
  });
});

describe('a user whose role is changed', () => {
  const give = async (role: string) =>
    must(await sample.harness.run({ command: 'user.role', username: 'demo', role }));

  it('loses what the new role lacks within 30 s, and no token becomes wider than it was made', async () => {
    expect((await ask(sample.tokens.demo)).statusCode).toBe(201);
    await give('viewer');
    sample.harness.time.now += 30_000;
    expect((await ask(sample.tokens.demo)).statusCode).toBe(403);
    const weak = await tokenOf(sample.harness, sample.demo);
    await give('owner');
    sample.harness.time.now += 30_000;
    expect((await ask(sample.tokens.demo)).statusCode).toBe(201);
    expect((await ask(weak)).statusCode).toBe(403);
  });
});
