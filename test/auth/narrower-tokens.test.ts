import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { tokenMark } from '../../shared/audit/audit-trail.ts';
import { allRoles } from '../../shared/http/permissions.ts';
import { mayDo } from '../edge/needed-permissions.ts';
import { eventOf, sampleHarness } from '../edge/route.ts';
import { jsonOf, oauthOf } from '../support/answers.ts';
import { credentials, beginDeletion, makeUser, must, tokenOf, type AuthHarness } from './harness.ts';

let sample: Awaited<ReturnType<typeof sampleHarness>>;
let harness: AuthHarness;
beforeEach(async () => {
  sample = await sampleHarness();
  harness = sample.harness;
  harness.spent.kdf = 0;
});

const ask = (
  asked: object,
  account: { client_id: string; username: string } = sample.demo,
  password?: string,
) => harness.send({ body: { ...credentials(account, password), ...asked } });
const scopeOf = async (asked: object, account?: { client_id: string; username: string }) =>
  jsonOf(await ask(asked, account))['scope'];
const tokens = () => harness.credentials.items().filter(({ pk }) => pk.startsWith('TOKEN#'));
const all =
  'account.read, definitions.read, definitions.write, exports.write, people.erase, people.read, people.write';

/** Members with an impossible value, and the sentence that says so. */
const impossible: readonly (readonly [object, string, string])[] = [
  ...[['people.read'], 1, {}, true].map(
    (scope) =>
      [{ scope }, 'invalid_request', 'scope must be text: permissions with spaces between them.'] as const,
  ),
  ...[
    'all',
    'people.read all',
    'PEOPLE.READ',
    'people.read,people.write',
    'people.read\tpeople.write',
    '',
    ' ',
    '__proto__',
    'constructor',
    'owner',
  ].map(
    (scope) =>
      [{ scope }, 'invalid_scope', `scope must name permissions, with spaces between them: ${all}.`] as const,
  ),
  ...[
    [],
    1001,
    '1001',
    ['1001'],
    [0],
    [-1],
    [1.5],
    [null],
    [Number.MAX_SAFE_INTEGER + 1],
    Array.from({ length: 101 }, (_, at) => at + 1),
    {},
    true,
  ].map(
    (property_ids) =>
      [
        { property_ids },
        'invalid_request',
        'property_ids must be a list of 1 to 100 numbers of properties.',
      ] as const,
  ),
  ...['', ' ', 'a\nb', 'a\u0000b', '\ud800', 'x'.repeat(10_000), 1, ['x'], {}, true].map(
    (name) => [{ name }, 'invalid_request', 'name must be one line of text of 1 to '] as const,
  ),
  ...[0, -1, 1.5, '60', [60], {}, true, 2_592_001, 31_536_000].map(
    (expires_in) =>
      [
        { expires_in },
        'invalid_request',
        'expires_in must be a whole number of seconds, 1 to 2592000. Only a key lives longer: give it a name.',
      ] as const,
  ),
  ...[0, 31_536_001, 1e300].map(
    (expires_in) =>
      [
        { name: 'Key', expires_in },
        'invalid_request',
        'expires_in must be a whole number of seconds, 1 to 31536000.',
      ] as const,
  ),
];

describe('a request for a narrower token', () => {
  it.each(impossible)(
    '%j is refused with %s before the password is looked at',
    async (asked, error, sentence) => {
      const answer = await ask(asked);
      expect(oauthOf(answer)).toEqual([400, error]);
      expect(jsonOf(answer)['error_description']).toContain(sentence);
      expect(harness.spent.kdf).toBe(0);
      expect(tokens()).toHaveLength(2);
    },
  );

  it.each([
    ['people.write definitions.read', 'definitions.read people.write'],
    ['  people.read   people.read ', 'people.read'],
    [mayDo.owner.split(' ').toReversed().join(' '), mayDo.owner],
  ])('for "%s" is answered with the permissions in their order, each once', async (scope, answered) => {
    expect(await scopeOf({ scope })).toBe(answered);
  });

  it.each([
    ['scopes', 'scope'],
    ['permissions', 'scope'],
    ['property_id', 'property_ids'],
    ['properties', 'property_ids'],
    ['may', 'scope'],
    ['role', 'scope'],
    ['ttl', 'expires_in'],
    ['Name', 'name'],
    ['expires', 'expires_in'],
  ])('is refused when %s stands for %s: the token would do more than was meant', async (member, meant) => {
    const answer = await ask({ [member]: 'people.read' });
    expect(oauthOf(answer)).toEqual([400, 'invalid_request']);
    expect(jsonOf(answer)['error_description']).toBe(
      `A member of the request has an unknown name. Did you mean ${meant}?`,
    );
    expect(harness.spent.kdf).toBe(0);
  });

  it.each(['client_secret', 'audience', 'resource', 'redirect_uri', 'state', 'nonce', 'code', 'session_id'])(
    'goes on beside %s, which RFC 6749 or others know',
    async (member) => {
      expect((await ask({ scope: 'people.read', [member]: 'x' })).statusCode).toBe(200);
    },
  );

  it('takes a null for a member that is left out', async () => {
    const answer = await ask({ scope: null, property_ids: null, name: null, expires_in: null });
    expect(jsonOf(answer)).toMatchObject({ scope: mayDo.owner, expires_in: 2_592_000 });
    const token = String(jsonOf(answer)['access_token']);
    expect((await sample.handler(eventOf(sample.demo.property, token, {}))).statusCode).toBe(201);
  });

  it.each(allRoles)('without a scope, a user in the role %s gets what the role allows', async (role) => {
    const user = await makeUser(harness, sample.demo, `in-${role}`, { role });
    expect(await scopeOf({}, user)).toBe(mayDo[role]);
  });

  it.each(allRoles)('a user in the role %s gets no permission beyond it', async (role) => {
    const user = await makeUser(harness, sample.demo, `in-${role}`, { role });
    const own: readonly string[] = mayDo[role].split(' ');
    for (const permission of mayDo.owner.split(' ')) {
      const answer = await ask({ scope: `${own[0]} ${permission}` }, user);
      if (own.includes(permission)) {
        expect(answer.statusCode).toBe(200);
        continue;
      }
      expect(jsonOf(answer)).toEqual({
        error: 'invalid_scope',
        error_description: `The role of the user is ${role}, which may do only: ${mayDo[role]}.`,
      });
      expect(answer.statusCode).toBe(400);
    }
  });

  it.each([
    { expires_in: 1 },
    { expires_in: 2_592_000 },
    { name: 'Key', expires_in: 1 },
    { name: 'Key', expires_in: 31_536_000 },
  ])('may live for a second to thirty days, a key for a year: %j', async (asked) => {
    const answer = jsonOf(await ask(asked));
    expect(answer).toMatchObject({ expires_in: asked.expires_in });
    const event = eventOf(sample.demo.property, String(answer['access_token']), {});
    harness.time.now += asked.expires_in * 1_000 - 1;
    expect((await sample.handler(event)).statusCode).toBe(201);
    harness.time.now += 1;
    expect((await sample.handler(event)).statusCode).toBe(401);
  });

  it('for a key without a lifetime is for thirty days', async () => {
    expect(jsonOf(await ask({ name: 'Key' }))).toMatchObject({ expires_in: 2_592_000 });
  });
});

describe('the properties of a token', () => {
  const refusal = {
    error: 'invalid_request',
    error_description: 'property_ids names a property that does not exist or belongs to somebody else.',
  };

  it('are refused alike when they are unknown, foreign or being deleted, also beside one of the account', async () => {
    const { property, account } = sample.demo;
    const made = must(await harness.run({ command: 'property.create', account, name: 'Closing' }));
    const closing = Number(made['property']);
    await beginDeletion(harness, { ...sample.demo, property: closing });
    for (const strange of [8_999_999, Number.MAX_SAFE_INTEGER, sample.other.property, closing])
      for (const property_ids of [[strange], [property, strange]]) {
        const answer = await ask({ property_ids });
        expect([answer.statusCode, jsonOf(answer)]).toEqual([400, refusal]);
      }
    expect(tokens()).toHaveLength(2);
  });

  it('may be named twice, and are kept once', async () => {
    const { property } = sample.demo;
    await ask({ property_ids: [property, property] });
    expect(tokens().map(({ properties }) => properties)).toContainEqual([property]);
  });

  it('are all that the token reaches, also when the account gets more', async () => {
    const { property, account } = sample.demo;
    const token = await tokenOf(harness, sample.demo, { property_ids: [property] });
    const later = must(await harness.run({ command: 'property.create', account, name: 'Later' }));
    const status = async (of: unknown, by: string) =>
      (await sample.handler(eventOf(Number(of), by, {}))).statusCode;
    expect(await status(property, token)).toBe(201);
    expect(await status(later['property'], token)).toBe(404);
    expect(await status(later['property'], sample.tokens.demo)).toBe(201);
  });
});

describe('a refusal after the right password', () => {
  it('is in the audit log with its reason, counts as no failure, and shows nothing of the request', async () => {
    const viewer = await makeUser(harness, sample.demo, 'viewer', { role: 'viewer' });
    for (let count = 0; count < 20; count += 1) {
      expect(oauthOf(await ask({ scope: 'people.erase' }, viewer))).toEqual([400, 'invalid_scope']);
      expect(oauthOf(await ask({ property_ids: [4_999_999] }, viewer))).toEqual([400, 'invalid_request']);
    }
    const good = await ask({}, viewer);
    expect(good.statusCode).toBe(200);
    const signIns = harness.auditLog
      .items()
      .filter(({ action, user }) => action === 'sign-in' && user !== 1 && user !== 2);
    expect(Map.groupBy(signIns, ({ outcome }) => outcome).get('invalid_scope')).toHaveLength(20);
    expect(Map.groupBy(signIns, ({ outcome }) => outcome).get('invalid_request')).toHaveLength(20);
    expect(JSON.stringify(signIns)).not.toContain('4999999');
    expect(signIns.filter(({ token }) => token !== undefined).map(({ token }) => token)).toEqual([
      tokenMark(`Bearer ${v.parse(v.string(), jsonOf(good)['access_token'])}`),
    ]);
  });

  it('is not to be had by a wrong password, which is all that one learns', async () => {
    const viewer = await makeUser(harness, sample.demo, 'viewer', { role: 'viewer' });
    const wrong = await ask({}, viewer, 'wrong');
    for (const asked of [{ scope: 'people.erase' }, { property_ids: [4_999_999] }, { name: 'Key' }]) {
      const answer = await ask(asked, viewer, 'wrong');
      expect([answer.statusCode, answer.body]).toEqual([wrong.statusCode, wrong.body]);
    }
  });
});
