import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { jsonOf } from '../support/answers.ts';
import { callerScene, type CallerScene } from './caller-routes.ts';
import { credentials, makeUser, must, tokenOf } from './harness.ts';

let harness: CallerScene['harness'];
let demo: CallerScene['demo'];
let routes: CallerScene['routes'];
let token: string;
beforeEach(async () => {
  ({ harness, demo, routes, token } = await callerScene());
});

const { keysPerUser, tokensPerUser } = limits.auth;
const askForKey = (asked: object = {}, account: { client_id: string; username: string } = demo) =>
  harness.send({ body: { ...credentials(account), name: 'Key', ...asked } });
/** Makes keys, a second apart. Returns the tokens. */
const makeKeys = async (count: number, asked: object = {}): Promise<readonly string[]> => {
  const made: string[] = [];
  for (let at = 0; at < count; at += 1) {
    harness.time.now += 1_000;
    made.push(await tokenOf(harness, demo, { name: `Key ${at}`, ...asked }));
  }
  return made;
};
const markOf = (of: string | undefined): string => sha256(of ?? '').slice(0, 8);
const keysInForce = async (by = token) => (await routes.tokens(by)).filter(({ name }) => name !== null);
const statusOf = async (of: string | undefined): Promise<number> => {
  harness.time.now += 30_000;
  return (await routes.me(of ?? '')).statusCode;
};

describe('a key', () => {
  it('is in the audit log with its mark and what it was given, and without its name', async () => {
    const asked = { name: 'Box office', scope: 'people.write', property_ids: [demo.property] };
    const key = await tokenOf(harness, demo, asked);
    await tokenOf(harness, demo);
    const made = harness.auditLog.items().filter(({ action }) => action === 'sign-in');
    expect(made.map(({ token, ids }) => [token, ids])).toEqual(
      expect.arrayContaining([
        [markOf(key), { kind: 'key', scope: 'people.write', property_ids: String(demo.property) }],
      ]),
    );
    expect(made.filter(({ ids }) => JSON.stringify(ids ?? {}) === '{}')).toHaveLength(made.length - 1);
    expect(JSON.stringify(made)).not.toContain('Box office');
  });

  it('outlives a hundred sign-ins, of which the last one ends the oldest', async () => {
    const [key] = await makeKeys(1);
    for (let count = 1; count < tokensPerUser; count += 1) {
      harness.time.now += 1_000;
      await tokenOf(harness, demo);
    }
    expect(await statusOf(token)).toBe(200);
    const newest = await tokenOf(harness, demo);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(newest)).toBe(200);
    expect(await statusOf(key)).toBe(200);
    expect(await keysInForce(newest)).toHaveLength(1);
  });

  it('does not count as a sign-in, and ends none', async () => {
    for (let count = 1; count < tokensPerUser; count += 1) await tokenOf(harness, demo);
    await makeKeys(keysPerUser);
    expect(await statusOf(token)).toBe(200);
    expect(await routes.tokens(token)).toHaveLength(tokensPerUser + keysPerUser);
  });

  it(`is refused when its user has ${keysPerUser}, and leaves nothing`, async () => {
    const keys = await makeKeys(keysPerUser);
    const before = JSON.stringify(harness.credentials.items());
    const answer = await askForKey();
    expect([answer.statusCode, jsonOf(answer)]).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description: 'The user has 20 keys already; end one first: DELETE /v1/me/tokens/{token_id}.',
      },
    ]);
    expect(JSON.stringify(harness.credentials.items())).toBe(before);
    for (const key of keys) expect((await routes.me(key)).statusCode).toBe(200);
    expect((await askForKey({ name: null })).statusCode).toBe(200);
    const colleague = await makeUser(harness, demo, 'colleague');
    expect((await askForKey({}, colleague)).statusCode).toBe(200);
    const signIns = harness.auditLog.items().filter(({ outcome }) => outcome === 'invalid_request');
    expect(signIns).toHaveLength(1);
  });

  it('may come in the place of one that was ended or has expired', async () => {
    const [oldest] = await makeKeys(keysPerUser - 1);
    await makeKeys(1, { expires_in: 60 });
    expect((await askForKey()).statusCode).toBe(400);
    harness.time.now += 60_000;
    expect((await askForKey()).statusCode).toBe(200);
    expect((await askForKey()).statusCode).toBe(400);
    expect((await routes.end(token, markOf(oldest))).statusCode).toBe(200);
    expect((await askForKey()).statusCode).toBe(200);
    expect(await keysInForce()).toHaveLength(keysPerUser);
  });

  it('comes in the place of those that have expired, so a program that makes one each hour has a short list', async () => {
    for (let hour = 0; hour < 2 * keysPerUser; hour += 1) {
      expect((await askForKey({ expires_in: 3_600 })).statusCode).toBe(200);
      harness.time.now += 3_600_000;
    }
    // That of the sign-in, and the last key: each a token and an entry of the list.
    expect(harness.credentials.items().filter(({ pk }) => pk.includes('TOKEN'))).toHaveLength(4);
    expect(await statusOf(token)).toBe(200);
  });

  it('may come in the place of those that an operator has revoked', async () => {
    await makeKeys(keysPerUser, { scope: 'people.write' });
    must(await harness.run({ command: 'token.revoke', username: 'demo' }));
    expect((await askForKey()).statusCode).toBe(200);
    expect(await keysInForce(await tokenOf(harness, demo))).toHaveLength(1);
  });

  it('needs the password, whatever token comes with the request', async () => {
    const answer = await harness.send({
      headers: { authorization: `Bearer ${token}` },
      body: { ...credentials(demo, 'wrong'), name: 'Key' },
    });
    expect(answer.statusCode).toBe(400);
    expect(await keysInForce()).toEqual([]);
  });
});
