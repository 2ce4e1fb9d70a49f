import { beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../shared/runtime/hash.ts';
import { mayDo } from '../edge/needed-permissions.ts';
import { sampleHarness } from '../edge/route.ts';
import { jsonOf, problemOf } from '../support/answers.ts';
import { memoryRate } from '../support/rates.ts';
import { callerRoutes } from './caller-routes.ts';
import { beginDeletion, must, tokenOf } from './harness.ts';

let sample: Awaited<ReturnType<typeof sampleHarness>>;
let routes: ReturnType<typeof callerRoutes>;
beforeEach(async () => {
  sample = await sampleHarness();
  routes = callerRoutes(sample.harness);
});

const secondProperty = async (): Promise<number> => {
  const { account } = sample.demo;
  return Number(
    must(await sample.harness.run({ command: 'property.create', account, name: 'Second' }))['property'],
  );
};

describe('the owner of a token', () => {
  it('the answer holds the account, its properties, the role, and the mark and the expiry of the token', async () => {
    const second = await secondProperty();
    const answer = await routes.me(sample.tokens.demo);
    expect(answer.statusCode).toBe(200);
    expect(jsonOf(answer)).toEqual({
      user: { id: 1, email: 'demo@example.com', first_name: 'A', last_name: 'B' },
      role: 'owner',
      permissions: mayDo.owner.split(' '),
      account: { id: sample.demo.account, name: 'demo Ltd' },
      properties: [
        { id: sample.demo.property, name: 'Shop', search_names: false },
        { id: second, name: 'Second', search_names: false },
      ],
      token: {
        id: sha256(sample.tokens.demo).slice(0, 8),
        name: null,
        properties: null,
        expires: new Date(sample.harness.time.now + 2_592_000_000).toISOString(),
      },
    });
  });

  it('the answer says of each property whether people are found by name', async () => {
    const second = await secondProperty();
    must(await sample.harness.run({ command: 'property.set', property: second, search_names: 'on' }));
    expect(jsonOf(await routes.me(sample.tokens.demo))).toMatchObject({
      properties: [
        { id: sample.demo.property, search_names: false },
        { id: second, search_names: true },
      ],
    });
    must(await sample.harness.run({ command: 'property.set', property: second, search_names: 'off' }));
    const key = await tokenOf(sample.harness, sample.demo, { property_ids: [second] });
    expect(jsonOf(await routes.me(key))).toMatchObject({ properties: [{ id: second, search_names: false }] });
  });

  it('the answer holds the name, the properties and the permissions of a narrower key', async () => {
    const second = await secondProperty();
    const asked = { name: 'Box office', scope: 'people.write', property_ids: [second], expires_in: 60 };
    const key = await tokenOf(sample.harness, sample.demo, asked);
    expect(jsonOf(await routes.me(key))).toMatchObject({
      role: 'owner',
      permissions: ['people.write'],
      properties: [{ id: second, name: 'Second' }],
      token: {
        ...{ id: sha256(key).slice(0, 8), name: 'Box office', properties: [second] },
        expires: new Date(sample.harness.time.now + 60_000).toISOString(),
      },
    });
  });

  it('the answer says what a token still may do after its user got a lesser role', async () => {
    const key = await tokenOf(sample.harness, sample.demo, { scope: 'people.erase definitions.read' });
    must(await sample.harness.run({ command: 'user.role', username: 'demo', role: 'viewer' }));
    expect(jsonOf(await routes.me(key))).toMatchObject({ role: 'viewer', permissions: ['definitions.read'] });
  });

  it('the answer leaves out a property that is being deleted, and the token goes on to name it', async () => {
    const key = await tokenOf(sample.harness, sample.demo, { property_ids: [sample.demo.property] });
    await beginDeletion(sample.harness, sample.demo);
    expect(jsonOf(await routes.me(key))).toMatchObject({
      properties: [],
      token: { properties: [sample.demo.property] },
    });
  });

  it('the answer names nothing of another account', async () => {
    const [demo, other] = [await routes.me(sample.tokens.demo), await routes.me(sample.tokens.other)];
    expect(jsonOf(other)).toMatchObject({
      account: { id: sample.other.account },
      properties: [{ id: sample.other.property }],
    });
    expect(demo.body).not.toContain('other');
    expect(other.body).not.toContain('demo');
  });

  it.each(['', '0'.repeat(64), 'x'])('the token "%s" is answered with 401', async (token) => {
    expect(problemOf(await routes.me(token))).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a token is answered with 401 within 30 s of its revocation', async () => {
    expect((await routes.me(sample.tokens.demo)).statusCode).toBe(200);
    must(await sample.harness.run({ command: 'token.revoke', token: sample.tokens.demo }));
    sample.harness.time.now += 30_000;
    expect((await routes.me(sample.tokens.demo)).statusCode).toBe(401);
  });

  it('the route takes no query', async () => {
    expect(problemOf(await routes.me(sample.tokens.demo, { query: 'account=2' }))).toMatchObject({
      status: 400,
    });
  });

  it('the request counts against the rate of the account', async () => {
    const rate = memoryRate(sample.harness.deps, 0);
    const limited = callerRoutes(sample.harness, { rate: () => rate });
    for (const ask of [limited.me, limited.list])
      expect((await ask(sample.tokens.demo)).statusCode).toBe(429);
    expect((await limited.end(sample.tokens.demo, '0123abcd')).statusCode).toBe(429);
  });
});
