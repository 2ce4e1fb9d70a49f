import { beforeEach, describe, expect, it } from 'vitest';
import * as entries from '../../functions/auth/entries.ts';
import { getCaller } from '../../shared/auth/get-caller.ts';
import { callerHandler, type ApiRuntime } from '../../shared/edge/api-handler.ts';
import { sampleHarness } from '../edge/route.ts';
import { apiEvent } from '../support/api-event.ts';
import { jsonOf, problemOf } from '../support/answers.ts';
import { memoryRate } from '../support/rates.ts';
import { must } from './harness.ts';

let sample: Awaited<ReturnType<typeof sampleHarness>>;
beforeEach(async () => {
  sample = await sampleHarness();
});

const ask = (token: string, { query = '', ...more }: { query?: string } & Partial<ApiRuntime> = {}) => {
  const handler = callerHandler(entries.getCaller, getCaller, () => sample.harness, {
    runtime: { ...sample.harness.around, ...more },
  });
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  return handler(apiEvent({ method: 'GET', path: '/v1/me', headers, query }));
};

describe('the owner of a token', () => {
  it('the answer holds the account, its properties and the expiry of the token', async () => {
    const { account } = sample.demo;
    const made = must(await sample.harness.run({ command: 'property.create', account, name: 'Second' }));
    const answer = await ask(sample.tokens.demo);
    expect(answer.statusCode).toBe(200);
    expect(jsonOf(answer)).toEqual({
      user: { id: 1, email: 'demo@example.com', first_name: 'A', last_name: 'B' },
      account: { id: account, name: 'demo Ltd' },
      properties: [
        { id: sample.demo.property, name: 'Shop' },
        { id: made['property'], name: 'Second' },
      ],
      token: { expires: new Date(sample.harness.time.now + 2_592_000_000).toISOString() },
    });
  });

  it('the answer names nothing of another account', async () => {
    const [demo, other] = [await ask(sample.tokens.demo), await ask(sample.tokens.other)];
    expect(jsonOf(other)).toMatchObject({
      account: { id: sample.other.account },
      properties: [{ id: sample.other.property }],
    });
    expect(demo.body).not.toContain('other');
    expect(other.body).not.toContain('demo');
  });

  it.each(['', '0'.repeat(64), 'x'])('the token "%s" is answered with 401', async (token) => {
    expect(problemOf(await ask(token))).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a token is answered with 401 within 30 s of its revocation', async () => {
    expect((await ask(sample.tokens.demo)).statusCode).toBe(200);
    must(await sample.harness.run({ command: 'token.revoke', token: sample.tokens.demo }));
    sample.harness.time.now += 30_000;
    expect((await ask(sample.tokens.demo)).statusCode).toBe(401);
  });

  it('the route takes no query', async () => {
    expect(problemOf(await ask(sample.tokens.demo, { query: 'account=2' }))).toMatchObject({ status: 400 });
  });

  it('the request counts against the rate of the account', async () => {
    const rate = memoryRate(sample.harness.deps, 0);
    expect((await ask(sample.tokens.demo, { rate: () => rate })).statusCode).toBe(429);
  });
});
