import { beforeEach, describe, expect, it } from 'vitest';
import { userHash } from '../../shared/auth/credential-items.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { inLogOf } from '../audit/audit-log.ts';
import { jsonOf, oauthOf } from '../support/answers.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { callerRoutes, callerScene, type CallerScene } from './caller-routes.ts';
import { authHarness, makeAccount, must, tokenOf } from './harness.ts';

let harness: CallerScene['harness'];
let demo: CallerScene['demo'];
let routes: CallerScene['routes'];
let token: string;
beforeEach(async () => {
  ({ harness, demo, routes, token } = await callerScene());
});

const later = () => void (harness.time.now += 30_000);
const signOuts = () => harness.auditLog.items().filter(({ action }) => action === 'sign-out');
const left = () => harness.credentials.items().filter(({ pk }) => pk.includes('TOKEN'));

describe('a sign-out', () => {
  it('ends the token in its body within 30 s, and no other', async () => {
    const other = await tokenOf(harness, demo);
    expect((await routes.me(token)).statusCode).toBe(200);
    const answer = await routes.revoke({ body: { token } });
    expect([answer.statusCode, jsonOf(answer)]).toEqual([200, {}]);
    expect(answer.headers['cache-control']).toBe('no-store');
    later();
    expect((await routes.me(token)).statusCode).toBe(401);
    expect((await routes.tokens(other)).map(({ id }) => id)).toEqual([sha256(other).slice(0, 8)]);
  });

  it('leaves nothing of the token', async () => {
    await routes.revoke({ body: { token } });
    expect(left()).toEqual([]);
  });

  it('ends a key, and the hint of RFC 7009 changes nothing', async () => {
    const key = await tokenOf(harness, demo, { name: 'Box office' });
    await routes.revoke({ body: { token: key, token_type_hint: 'refresh_token' } });
    later();
    expect((await routes.me(key)).statusCode).toBe(401);
  });

  it('is in the audit log with the mark of the token, once', async () => {
    await routes.revoke({ body: { token }, sourceIp: '198.51.100.7' });
    await routes.revoke({ body: { token } });
    expect(signOuts()).toEqual([
      expect.objectContaining({
        ...{ pk: inLogOf(demo.account), outcome: 'ended', user: 1, source: '198.51.100.7' },
        token: sha256(token).slice(0, 8),
      }),
    ]);
    expect(JSON.stringify(signOuts())).not.toContain(token);
  });

  it.each([
    ['an unknown token', 'f'.repeat(64)],
    ['no token at all', 'x'],
    ['nothing', ''],
    ['a long text', 'x'.repeat(100_000)],
    ['a lone surrogate', '\ud800'],
    ['a key of an item', `TOKEN#${'0'.repeat(64)}`],
  ])('is answered alike for %s, and leaves no entry', async (_, text) => {
    const known = await routes.revoke({ body: { token } });
    const before = signOuts().length;
    const answer = await routes.revoke({ body: { token: text } });
    expect([answer.statusCode, answer.body]).toEqual([known.statusCode, known.body]);
    expect(Object.keys(answer.headers)).toEqual(Object.keys(known.headers));
    expect(signOuts()).toHaveLength(before);
  });

  it('is answered alike for a token whose hash the client knows', async () => {
    await routes.revoke({ body: { token: sha256(token) } });
    later();
    expect((await routes.me(token)).statusCode).toBe(200);
  });

  it('of a user who is gone is in the log of the account, without a user', async () => {
    await harness.credentials.write({
      ...{ kind: 'delete', key: credentialKeys.user(userHash('demo')), expect: {} },
    });
    await routes.revoke({ body: { token } });
    expect(signOuts()).toEqual([expect.objectContaining({ pk: inLogOf(demo.account), outcome: 'ended' })]);
    expect(signOuts()[0]).not.toHaveProperty('user');
  });

  it('of an earlier user is not said of a later one of the same name in another account', async () => {
    await harness.credentials.write({
      ...{ kind: 'delete', key: credentialKeys.user(userHash('demo')), expect: {} },
    });
    await makeAccount(harness, 'DEMO');
    await routes.revoke({ body: { token } });
    expect(signOuts()[0]).not.toHaveProperty('user');
  });
});

describe('a sign-out that is no sign-out', () => {
  it.each([
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'token=x' }, 415],
    ['no JSON', { body: '{' }, 400],
    ['a list', { body: '[]' }, 400],
    ['no token', { body: {} }, 400],
    ['a null', { body: { token: null } }, 400],
    ['a number', { body: { token: 1 } }, 400],
    ['a list of tokens', { body: { token: ['x'] } }, 400],
    ['a body over the limit', { body: `{"token":"${'x'.repeat(2_900_000)}"}` }, 413],
  ] as const)('is refused in the form of RFC 6749: %s', async (_, sent, status) => {
    const answer = await routes.revoke(sent);
    expect(oauthOf(answer)).toEqual([status, 'invalid_request']);
    expect(jsonOf(answer)['error_description']).toMatch(/\.$/);
    expect(left().length).toBeGreaterThan(0);
  });

  it('is 503 while the table cannot be written, and the token goes on to work', async () => {
    let isDown = false;
    const credentials = new MemoryTable((operation) => {
      if (isDown && operation === 'delete') throw new UnavailableError('table: throttled');
    });
    harness = authHarness({ credentials });
    const account = await makeAccount(harness, 'demo');
    const good = await tokenOf(harness, account);
    routes = callerRoutes(harness);
    isDown = true;
    expect(oauthOf(await routes.revoke({ body: { token: good } }))).toEqual([503, 'temporarily_unavailable']);
    expect(signOuts()).toEqual([]);
    expect((await routes.me(good)).statusCode).toBe(200);
    isDown = false;
    must(await harness.run({ command: 'token.list', username: 'demo' }));
    expect((await routes.revoke({ body: { token: good } })).statusCode).toBe(200);
  });
});
