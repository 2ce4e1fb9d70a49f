import { beforeEach, describe, expect, it } from 'vitest';
import { readUser } from '../../shared/auth/change-user.ts';
import { userHash } from '../../shared/auth/credential-items.ts';
import { allPermissions } from '../../shared/http/permissions.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { mayDo } from '../edge/needed-permissions.ts';
import { jsonOf, problemOf } from '../support/answers.ts';
import { callerScene, type CallerScene } from './caller-routes.ts';
import { makeAccount, makeUser, must, tokenOf } from './harness.ts';

let harness: CallerScene['harness'];
let demo: CallerScene['demo'];
let routes: CallerScene['routes'];
let token: string;
beforeEach(async () => {
  ({ harness, demo, routes, token } = await callerScene());
});

const markOf = (of: string): string => sha256(of).slice(0, 8);
const later = (milliseconds = 30_000) => void (harness.time.now += milliseconds);
const at = (time: number): string => new Date(time).toISOString();
const ends = () =>
  harness.auditLog.items().filter(({ action }) => String(action).startsWith('DELETE /v1/me/tokens'));

describe('the tokens of a user', () => {
  it('are listed with what they may do and reach, the oldest first, and none in clear', async () => {
    const made = harness.time.now;
    later(1_000);
    const asked = { name: 'Box office', scope: 'people.write people.read', expires_in: 31_536_000 };
    const key = await tokenOf(harness, demo, { ...asked, property_ids: [demo.property, demo.property] });
    const answer = await routes.list(token);
    expect(jsonOf(answer)).toEqual({
      tokens: [
        {
          ...{ id: markOf(token), name: null, permissions: mayDo.owner.split(' '), properties: null },
          ...{ created: at(made), expires: at(made + 2_592_000_000) },
        },
        {
          ...{ id: markOf(key), name: 'Box office', permissions: ['people.read', 'people.write'] },
          properties: [demo.property],
          ...{ created: at(made + 1_000), expires: at(made + 1_000 + 31_536_000_000) },
        },
      ],
    });
    for (const secret of [token, key, sha256(token), sha256(key)]) expect(answer.body).not.toContain(secret);
  });

  it('are seen and ended only by a token that may do and reach as much', async () => {
    const asked = { name: 'Box office', scope: 'people.write', property_ids: [demo.property] };
    const key = await tokenOf(harness, demo, asked);
    const equal = await tokenOf(harness, demo, asked);
    const elsewhere = await tokenOf(harness, demo, { scope: 'people.write' });
    const more = await tokenOf(harness, demo, { ...asked, scope: 'people.read people.write' });
    expect((await routes.tokens(key)).map(({ id }) => id).toSorted()).toEqual(
      [markOf(key), markOf(equal)].toSorted(),
    );
    for (const wider of [token, elsewhere, more])
      expect((await routes.end(key, markOf(wider))).statusCode).toBe(404);
    expect((await routes.end(key, markOf(equal))).statusCode).toBe(200);
  });

  it('are those of the user alone, not of others in the account or elsewhere', async () => {
    const other = await makeAccount(harness, 'other');
    const colleague = await makeUser(harness, demo, 'colleague');
    const others = [await tokenOf(harness, other), await tokenOf(harness, colleague)];
    expect((await routes.tokens(token)).map(({ id }) => id)).toEqual([markOf(token)]);
    for (const one of others) expect((await routes.tokens(one)).map(({ id }) => id)).toEqual([markOf(one)]);
  });

  it('are left out when they have expired, were ended, or are from before a new password', async () => {
    const short = await tokenOf(harness, demo, { expires_in: 60 });
    const ended = await tokenOf(harness, demo);
    expect((await routes.end(token, markOf(ended))).statusCode).toBe(200);
    later(60_000);
    expect((await routes.tokens(token)).map(({ id }) => id)).toEqual([markOf(token)]);
    expect((await routes.me(short)).statusCode).toBe(401);
    must(await harness.run({ command: 'token.revoke', username: 'demo' }));
    const fresh = await tokenOf(harness, demo);
    expect((await routes.tokens(fresh)).map(({ id }) => id)).toEqual([markOf(fresh)]);
  });

  it('are shown with what they may do now', async () => {
    must(await harness.run({ command: 'user.role', username: 'demo', role: 'reader' }));
    expect((await routes.tokens(token)).map(({ permissions }) => permissions)).toEqual([
      ['definitions.read', 'people.read'],
    ]);
  });
});

describe('the end of a token', () => {
  it('makes the token useless within 30 s, and no other token', async () => {
    const other = await tokenOf(harness, demo);
    expect((await routes.me(other)).statusCode).toBe(200);
    const answer = await routes.end(token, markOf(other));
    expect([answer.statusCode, jsonOf(answer)]).toEqual([200, { id: markOf(other) }]);
    later();
    expect((await routes.me(other)).statusCode).toBe(401);
    expect((await routes.me(token)).statusCode).toBe(200);
  });

  it('is for any token of the user, itself too', async () => {
    const narrow = await tokenOf(harness, demo, { scope: 'definitions.read', property_ids: [demo.property] });
    expect((await routes.end(narrow, markOf(narrow))).statusCode).toBe(200);
    later();
    expect((await routes.me(narrow)).statusCode).toBe(401);
  });

  it('comes once: the second request is told that there is no such token', async () => {
    const other = await tokenOf(harness, demo);
    const answers = [await routes.end(token, markOf(other)), await routes.end(token, markOf(other))];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404]);
  });

  it('does not come for the token of another user', async () => {
    const other = await makeAccount(harness, 'other');
    const colleague = await makeUser(harness, demo, 'colleague');
    const others = [await tokenOf(harness, other), await tokenOf(harness, colleague)];
    const unknown = await routes.end(token, '0123abcd');
    for (const one of others) {
      const answer = await routes.end(token, markOf(one));
      expect({ ...problemOf(answer), request_id: '' }).toEqual({ ...problemOf(unknown), request_id: '' });
      later();
      expect((await routes.me(one)).statusCode).toBe(200);
    }
  });

  it('comes for both of two tokens with one mark', async () => {
    const user = await readUser(harness.credentials, 'demo');
    for (const hash of ['0'.repeat(63) + '1', '0'.repeat(63) + '2']) {
      const [created, owner] = [harness.time.now, userHash('demo')];
      const entry = { version: 2, token: hash, is_key: false };
      await harness.credentials.put(credentialKeys.userToken(owner, created, hash), entry);
      await harness.credentials.put(credentialKeys.token(hash), {
        ...{ version: 2, user: owner, account: demo.account, created, expires: created + 60_000 },
        ...{ epoch: user?.epoch ?? '', permissions: allPermissions, properties: null, name: null },
      });
    }
    expect((await routes.tokens(token)).map(({ id }) => id)).toContain('00000000');
    expect((await routes.end(token, '00000000')).statusCode).toBe(200);
    expect((await routes.tokens(token)).map(({ id }) => id)).toEqual([markOf(token)]);
  });

  it('is in the audit log, with the mark of the token that asked and of the one that ended', async () => {
    const other = await tokenOf(harness, demo);
    await routes.end(token, markOf(other));
    await routes.end(token, markOf(other));
    const id = markOf(other);
    const entry = { token: markOf(token), user: 1 };
    expect(
      ends()
        .map(({ outcome, token: by, user, ids }) => ({ outcome, token: by, user, ids }))
        .toSorted((one, two) => (String(one.outcome) < String(two.outcome) ? -1 : 1)),
    ).toEqual([
      { outcome: '200', ...entry, ids: { id, token_id: id } },
      { outcome: '404', ...entry, ids: { token_id: id } },
    ]);
    expect(ends().every(({ property }) => property === undefined)).toBe(true);
  });

  it.each([
    ['a path', '../x'],
    ['upper case', '0123ABCD'],
    ['seven digits', '0123abc'],
    ['nine digits', '0123abcd0'],
    ['a long text', 'x'.repeat(5_000)],
    ['an address', 'canary@example.org'],
    ['nothing', ''],
    ['a line', '0123abcd\n'],
  ])('is 404 for an id that is %s, and the text never reaches a log', async (_, id) => {
    const answer = await routes.end(token, id);
    expect(problemOf(answer)).toMatchObject({ status: 404, detail: 'There is no such token.' });
    expect(ends()).toEqual([]);
    if (id.length > 9) expect(harness.lines.join('')).not.toContain(id);
  });

  it('takes no query', async () => {
    expect((await routes.end(token, markOf(token), { query: 'x=1' })).statusCode).toBe(400);
    later();
    expect((await routes.me(token)).statusCode).toBe(200);
  });

  it('has come once the token itself is gone, although the list has its entry still', async () => {
    const other = await tokenOf(harness, demo);
    const hash = sha256(other);
    await harness.credentials.write({ kind: 'delete', key: credentialKeys.token(hash), expect: {} });
    expect((await routes.tokens(token)).map(({ id }) => id)).toEqual([markOf(token)]);
    expect((await routes.end(token, markOf(other))).statusCode).toBe(404);
    expect((await routes.me(other)).statusCode).toBe(401);
  });
});
