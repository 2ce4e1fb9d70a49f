import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../shared/runtime/hash.ts';
import { limits } from '../../shared/config/limits.ts';
import { eventOf, sampleHarness } from '../edge/route.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { authHarness, credentials, must, PASSWORD, tokenOf, type AuthHarness } from './harness.ts';

let sample: Awaited<ReturnType<typeof sampleHarness>>;
let harness: AuthHarness;
beforeEach(async () => {
  sample = await sampleHarness();
  harness = sample.harness;
});

const run = async (command: string, more: object = { username: 'demo' }) =>
  must(await harness.run({ command, ...more }));
const signIn = async (password = PASSWORD, account = sample.demo) =>
  (await harness.send({ body: credentials(account, password) })).statusCode;

/** A key of the user `demo`. */
const makeKey = async (name: string, more: object = {}): Promise<string> => {
  harness.time.now += 1;
  const answer = await harness.send({ body: { ...credentials(sample.demo), name, ...more } });
  return v.parse(v.looseObject({ access_token: v.string() }), JSON.parse(answer.body)).access_token;
};

/** The status of a request with a token, after cached reads have expired. */
const statusOf = async (token: string): Promise<number> => {
  harness.time.now += 30_000;
  return (await sample.handler(eventOf(sample.demo.property, token, {}))).statusCode;
};

const listed = v.object({
  tokens: v.array(
    v.object({ id: v.string(), username: v.string(), created: v.string(), expires: v.string() }),
  ),
});
const tokensOf = async (owner: object) => v.parse(listed, await run('token.list', owner)).tokens;

describe('a disabled user', () => {
  it('a disabled user cannot sign in with the right password and gets the answer of a wrong password', async () => {
    await run('user.disable');
    harness.spent.kdf = 0;
    const [right, wrong] = [
      await harness.send({ body: credentials(sample.demo) }),
      await harness.send({ body: credentials(sample.demo, 'wrong') }),
    ];
    expect([right.statusCode, right.body]).toEqual([wrong.statusCode, wrong.body]);
    expect(harness.spent.kdf).toBe(2);
    expect(await statusOf(sample.tokens.demo)).toBe(401);
    expect(await signIn(PASSWORD, sample.other)).toBe(200);
  });

  it('an enabled user signs in again, while earlier tokens stay dead', async () => {
    await run('user.disable');
    expect(must(await harness.run({ command: 'account.show', account: sample.demo.account }))).toMatchObject({
      users: [{ username: 'demo', status: 'disabled' }],
    });
    await run('user.enable');
    expect(await statusOf(sample.tokens.demo)).toBe(401);
    expect(await statusOf(await tokenOf(harness, sample.demo))).toBe(201);
  });

  it('a user disabled during a sign-in gets no valid token', async () => {
    const meanwhile: (() => Promise<unknown>)[] = [];
    const memory = new MemoryTable(async (operation, [key]) => {
      if (operation === 'insert' && key?.pk.startsWith('TOKEN#')) await meanwhile.shift()?.();
    });
    sample = await sampleHarness(authHarness({ credentials: memory }));
    harness = sample.harness;
    meanwhile.push(() => run('user.disable'));
    expect(await statusOf(await tokenOf(harness, sample.demo))).toBe(401);
  });
});

describe('a password reset', () => {
  it('a reset generates a password, shows it once, and ends the old password', async () => {
    const { password } = v.parse(v.looseObject({ password: v.string() }), await run('user.password'));
    expect(JSON.stringify(harness.credentials.items())).not.toContain(password);
    expect(await signIn()).toBe(400);
    expect(await signIn(password)).toBe(200);
    expect(await statusOf(sample.tokens.demo)).toBe(401);
  });

  it('a given password is not shown', async () => {
    const password = 'a passphrase of ours';
    expect(await run('user.password', { username: 'demo', password })).not.toHaveProperty('password');
    expect(await signIn(password)).toBe(200);
  });
});

describe('a deleted user', () => {
  it('a deleted user is gone, with its tokens and its place in the account', async () => {
    await run('user.delete');
    expect(await signIn()).toBe(400);
    expect(await statusOf(sample.tokens.demo)).toBe(401);
    const left = harness.credentials
      .items()
      .filter((item) => JSON.stringify(item).includes('demo@example.com'));
    expect(left).toEqual([]);
    const tokens = harness.credentials.items().filter(({ pk }) => pk.startsWith('TOKEN#'));
    expect(tokens).toHaveLength(1);
    expect(await run('account.show', { account: sample.demo.account })).toMatchObject({ users: [] });
  });

  it('a new user of the same name does not revive a deleted user', async () => {
    const dies = new MemoryTable((operation, [key]) => {
      if (operation === 'delete' && key?.pk.startsWith('TOKEN#')) throw new Error('killed');
    });
    sample = await sampleHarness(authHarness({ credentials: dies }));
    harness = sample.harness;
    const key = await makeKey('narrow', { scope: 'definitions.write' });
    expect(await statusOf(key)).toBe(201);
    await expect(harness.run({ command: 'user.delete', username: 'demo' })).rejects.toThrow('killed');
    const person = { email: 'new@example.com', first_name: 'N', last_name: 'P', password: PASSWORD };
    await run('user.create', { account: sample.demo.account, username: 'DEMO', ...person });
    for (const token of [sample.tokens.demo, key]) expect(await statusOf(token)).toBe(401);
    expect(await tokensOf({ username: 'demo' })).toEqual([]);
    expect(await statusOf(await tokenOf(harness, sample.demo))).toBe(201);
  });
});

describe('a key', () => {
  const narrow = { scope: 'definitions.write', property_ids: [1001], expires_in: limits.auth.keySeconds };

  it.each([
    ['user.disable', { username: 'demo' }],
    ['user.password', { username: 'demo' }],
    ['user.delete', { username: 'demo' }],
    ['token.revoke', { username: 'demo' }],
    ['token.revoke', { account: 1 }],
  ])('%s %j ends it, like the token of a sign-in, whatever it may do', async (command, whom) => {
    const keys = [await makeKey('wide'), await makeKey('narrow', narrow)];
    for (const key of keys) expect(await statusOf(key)).toBe(201);
    await run(command, whom);
    for (const token of [sample.tokens.demo, ...keys]) expect(await statusOf(token)).toBe(401);
    expect(await tokensOf({ account: sample.demo.account })).toEqual([]);
    expect(await statusOf(sample.tokens.other)).toBe(404);
  });

  it('stays dead when the user is enabled again', async () => {
    const key = await makeKey('narrow', narrow);
    await run('user.disable');
    await run('user.enable');
    expect(await statusOf(key)).toBe(401);
  });

  it('is ended alone by its id or by itself', async () => {
    const keys = [await makeKey('one', narrow), await makeKey('two', narrow), await makeKey('three', narrow)];
    const [one = '', two = '', three = ''] = keys;
    await run('token.revoke', { id: sha256(one) });
    await run('token.revoke', { token: two });
    const statuses = [await statusOf(one), await statusOf(two), await statusOf(three)];
    expect(statuses).toEqual([401, 401, 201]);
    expect((await tokensOf({ username: 'demo' })).map(({ id }) => id)).toEqual(
      [sample.tokens.demo, three].map((token) => sha256(token)),
    );
  });

  it('makes room for another when it is ended, and leaves nothing behind', async () => {
    const { keysPerUser } = limits.auth;
    for (let count = 0; count < keysPerUser; count += 1) await makeKey(`key ${count}`);
    const items = harness.credentials.items().length;
    const refused = await harness.send({ body: { ...credentials(sample.demo), name: 'one more' } });
    expect(refused.statusCode).toBe(400);
    expect(harness.credentials.items()).toHaveLength(items);
    await run('token.revoke', { username: 'demo' });
    expect(await statusOf(await makeKey('one more'))).toBe(201);
  });

  it('of a deleted user leaves no item, nor does one of a deleted account', async () => {
    const left = () => harness.credentials.items().filter((item) => /^TOKEN#|#TOKENS$/.test(item.pk)).length;
    await makeKey('narrow', narrow);
    const { account } = must(await harness.run({ command: 'account.create', name: 'Gone' }));
    const person = { email: 'x@example.com', first_name: 'X', last_name: 'Y', password: PASSWORD };
    await run('user.create', { account, username: 'leaving', ...person });
    const { client_id } = await run('client.create', { account });
    const body = { ...credentials({ client_id: String(client_id), username: 'leaving' }), name: 'a key' };
    expect((await harness.send({ body })).statusCode).toBe(200);
    expect(left()).toBe(8);
    await run('account.delete', { account, confirm: 'Gone' });
    expect(left()).toBe(6);
    await run('user.delete');
    expect(left()).toBe(2);
  });
});

describe('a rotated client id', () => {
  it('a rotated client id is dead at once, and its tokens stay valid', async () => {
    const { client_id } = await run('client.rotate', { account: sample.demo.account });
    expect(client_id).not.toBe(sample.demo.client_id);
    expect(await signIn()).toBe(400);
    expect(await signIn(PASSWORD, { ...sample.demo, client_id: String(client_id) })).toBe(200);
    expect(await statusOf(sample.tokens.demo)).toBe(201);
    const clients = harness.credentials.items().filter(({ pk }) => pk.startsWith('CLIENT#'));
    expect(clients).toHaveLength(2);
  });

  it('concurrent rotations make one new client id', async () => {
    const { account } = sample.demo;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => harness.run({ command: 'client.rotate', account })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const { client_id } = await run('account.show', { account });
    expect(answers).toContainEqual({ ok: true, client_id });
  });
});

describe('tokens', () => {
  it('tokens are listed by id, with user and times, and never in clear', async () => {
    harness.time.now += 1_000;
    const second = await tokenOf(harness, sample.demo);
    const tokens = await tokensOf({ account: sample.demo.account });
    expect(tokens.map(({ id }) => id)).toEqual([sha256(sample.tokens.demo), sha256(second)]);
    expect(tokens[1]).toMatchObject({
      username: 'demo',
      created: new Date(harness.time.now).toISOString(),
      expires: new Date(harness.time.now + 2_592_000_000).toISOString(),
    });
    expect(JSON.stringify(tokens)).not.toContain(second);
    expect(await tokensOf({ username: 'demo' })).toEqual(tokens);
  });

  it('tokens are revoked one by one, by token or by id', async () => {
    const [second, third] = [await tokenOf(harness, sample.demo), await tokenOf(harness, sample.demo)];
    await run('token.revoke', { id: sha256(sample.tokens.demo) });
    await run('token.revoke', { token: second });
    expect(await statusOf(sample.tokens.demo)).toBe(401);
    expect(await statusOf(second)).toBe(401);
    expect(await statusOf(third)).toBe(201);
    expect((await tokensOf({ username: 'demo' })).map(({ id }) => id)).toEqual([sha256(third)]);
    expect(await harness.run({ command: 'token.revoke', token: second })).toMatchObject({
      error: { code: 'unknown_token' },
    });
  });

  it('all tokens of a user or an account are revoked, and the users may sign in again', async () => {
    const person = { email: 'x@example.com', first_name: 'X', last_name: 'Y', password: PASSWORD };
    await run('user.create', { account: sample.demo.account, username: 'second', ...person });
    const second = await tokenOf(harness, { ...sample.demo, username: 'second' });
    expect(await run('token.revoke', { account: sample.demo.account })).toMatchObject({ users: 2 });
    for (const token of [sample.tokens.demo, second]) expect(await statusOf(token)).toBe(401);
    expect(await tokensOf({ account: sample.demo.account })).toEqual([]);
    expect(await tokensOf({ account: sample.other.account })).toHaveLength(1);
    expect(await signIn()).toBe(200);
  });

  it('expired tokens are not listed', async () => {
    harness.time.now += limits.auth.tokenSeconds * 1000;
    expect(await tokensOf({ username: 'demo' })).toEqual([]);
  });

  it(`a user has at most ${limits.auth.tokensPerUser} tokens, and a new token ends the oldest`, async () => {
    for (let count = 1; count < limits.auth.tokensPerUser; count += 1) {
      harness.time.now += 1_000;
      await tokenOf(harness, sample.demo);
    }
    expect(await statusOf(sample.tokens.demo)).toBe(201);
    const newest = await tokenOf(harness, sample.demo);
    expect(await statusOf(sample.tokens.demo)).toBe(401);
    expect(await statusOf(newest)).toBe(201);
    expect(await tokensOf({ username: 'demo' })).toHaveLength(limits.auth.tokensPerUser);
  });
});
