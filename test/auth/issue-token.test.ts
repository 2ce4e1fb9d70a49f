import { beforeEach, describe, expect, it } from 'vitest';
import { hashPassword, scryptKdf, verifyPassword } from '../../shared/auth/passwords.ts';
import { userHash } from '../../shared/auth/credential-items.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { mayDo } from '../edge/needed-permissions.ts';
import { jsonOf, oauthOf, textLike } from '../support/answers.ts';
import { MemoryTable } from '../support/memory-table.ts';
import {
  type Account,
  authHarness,
  type AuthHarness,
  credentials,
  demoHarness,
  makeAccount,
  must,
  PASSWORD,
  tokenOf,
} from './harness.ts';

let harness: AuthHarness;
let demo: Account;
beforeEach(async () => {
  ({ harness, demo } = await demoHarness());
});

describe('a token', () => {
  it('is 256 random bits with the fields of RFC 6749', async () => {
    const answer = await harness.send({ body: credentials(demo) });
    expect(answer.statusCode).toBe(200);
    expect(jsonOf(answer)).toEqual({
      access_token: textLike(/^[0-9a-f]{64}$/),
      token_type: 'Bearer',
      expires_in: 2_592_000,
      scope: mayDo.owner,
      session_id: null,
    });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' });
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it('shares no more than chance with the next one, and leaves it valid', async () => {
    const [one, two] = [await tokenOf(harness, demo), await tokenOf(harness, demo)];
    expect(one.slice(0, 5)).not.toBe(two.slice(0, 5));
    expect(harness.credentials.items().filter(({ pk }) => pk.startsWith('TOKEN#'))).toHaveLength(2);
  });

  it('is stored as a hash only, and neither it nor the password is logged', async () => {
    const token = await tokenOf(harness, demo);
    await harness.send({ body: credentials(demo, 'a wrong secret'), query: `password=${PASSWORD}` });
    const seen = JSON.stringify(harness.credentials.items()) + harness.lines.join('');
    for (const secret of [token, PASSWORD, 'a wrong secret']) expect(seen).not.toContain(secret);
  });
});

/** Bodies with their responses; none of the requests may cost a key derivation. */
const refused: readonly (readonly [string, Readonly<Record<string, unknown>>, number, string])[] = [
  ...['Password', 'PASSWORD', ' password', 'client_credentials', ''].map(
    (grant_type) => [`grant_type "${grant_type}"`, { grant_type }, 400, 'unsupported_grant_type'] as const,
  ),
  ...[['password'], 1, null, {}, true].map(
    (grant_type) =>
      [`grant_type ${JSON.stringify(grant_type)}`, { grant_type }, 400, 'invalid_request'] as const,
  ),
  ...['client_id', 'username', 'password'].flatMap((field) =>
    ['', null, 1, true, ['x'], { x: 1 }, 'a\u0000b', 'a\r\nb', '\ud800', 'x'.repeat(10_240)].map(
      (value) =>
        [
          `${field} ${JSON.stringify(value).slice(0, 20)}`,
          { [field]: value },
          400,
          'invalid_request',
        ] as const,
    ),
  ),
  ['password of 1,025 characters', { password: 'x'.repeat(1_025) }, 400, 'invalid_request'],
  ['password of 1 MB', { password: 'x'.repeat(1_000_000) }, 400, 'invalid_request'],
];

describe('a request that cannot succeed', () => {
  it.each(refused)('%s', async (_, change, status, error) => {
    const answer = await harness.send({ body: { ...credentials(demo), ...change } });
    expect(oauthOf(answer)).toEqual([status, error]);
    expect(jsonOf(answer)['error_description']).toContain(Object.keys(change)[0]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(harness.spent.kdf).toBe(0);
  });

  it.each(['client_id', 'username'])(
    'a %s of 256 characters is refused, and one of 255 characters is looked up',
    async (field) => {
      const send = (length: number) =>
        harness.send({ body: { ...credentials(demo), [field]: 'x'.repeat(length) } });
      expect(oauthOf(await send(256))).toEqual([400, 'invalid_request']);
      expect(harness.spent.kdf).toBe(0);
      expect(oauthOf(await send(255))).toEqual([400, 'invalid_grant']);
    },
  );

  it.each([
    ['comments', '{"grant_type":"password" /* x */}'],
    ['a trailing comma', '{"grant_type":"password",}'],
    ['single quotes', "{'grant_type':'password'}"],
    ['nothing', ''],
    ['null', 'null'],
    ['a string', '"password"'],
    ['a list', '[]'],
    ['bad UTF-8', new Uint8Array([0x7b, 0xc3, 0x28, 0x7d])],
    ['50,000 levels', '['.repeat(50_000)],
  ])('a body of %s is refused', async (_, body) => {
    const answer = await harness.send({ body });
    expect(oauthOf(answer)).toEqual([400, 'invalid_request']);
  });

  it('a form and a body over the limit are refused', async () => {
    const form = await harness.send({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=password',
    });
    expect(oauthOf(form)).toEqual([415, 'invalid_request']);
    expect(jsonOf(form)['error_description']).toContain('application/json');
    const large = await harness.send({ body: `{"x":"${'x'.repeat(2_900_000)}"}` });
    expect(oauthOf(large)).toEqual([413, 'invalid_request']);
  });

  it.each(['Basic ZGVtbzpkZW1v', 'basic', 'BASIC x'])(
    'a client that authenticates by "%s" is refused in that scheme',
    async (authorization) => {
      const answer = await harness.send({ headers: { authorization }, body: credentials(demo) });
      expect(oauthOf(answer)).toEqual([401, 'invalid_client']);
      expect(answer.headers['www-authenticate']).toBe('Basic realm="tidemark"');
      expect(harness.spent.kdf).toBe(0);
    },
  );

  it('a token request ignores the parameters that RFC 6749 tells servers to ignore', async () => {
    const body = { ...credentials(demo), audience: 'all', session_id: 7 };
    const answer = await harness.send({ body, query: 'password=x&x' });
    expect(jsonOf(answer)).toMatchObject({ expires_in: 2_592_000, scope: mayDo.owner, session_id: null });
  });
});

describe('passwords', () => {
  it.each([15, 72, 73, 128, 1_024])(
    'a password of %i characters works, and no character is cut',
    async (length) => {
      const username = `user${length}`;
      const password = 'é'.repeat(length - 1) + 'x';
      const person = { email: 'a@example.com', first_name: 'A', last_name: 'B' };
      must(
        await harness.run({ command: 'user.create', account: demo.account, username, password, ...person }),
      );
      const account = { ...demo, username };
      expect((await harness.send({ body: credentials(account, password) })).statusCode).toBe(200);
      expect(
        (await harness.send({ body: credentials(account, `${password.slice(0, -1)}y`) })).statusCode,
      ).toBe(400);
    },
  );

  it('a sign-in costs one derivation and gets one answer, whether user and client id are known, unknown or of another account', async () => {
    const strangeClients = [
      demo.client_id.toUpperCase(),
      'nobody',
      // The account of the user names another user.
      'stray',
      "' OR 1=1--",
      '${jndi:ldap://x}',
      '__proto__',
      'CLIENT#x/../y',
    ];
    const other = await makeAccount(harness, 'other');
    harness.spent.kdf = 0;
    const bodies = [
      credentials(demo, 'wrong'),
      credentials({ ...demo, username: 'nobody' }),
      credentials({ ...demo, username: 'other' }),
      credentials({ ...other, username: 'demo' }),
      ...strangeClients.map((client_id) => credentials({ ...demo, client_id })),
    ];
    await harness.credentials.put(credentialKeys.client(sha256('stray')), { account: demo.account });
    const answers = [];
    for (const body of bodies)
      answers.push(await harness.send({ body, sourceIp: `192.0.2.${answers.length}` }));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]?.body).toContain('"invalid_grant"');
    expect(harness.spent.kdf).toBe(bodies.length);
  });

  it.each(['', 'plain', 'bcrypt$1$2$3', 'scrypt$131072$8$1$$', 'scrypt$2$8$1$AAAAAAAAAAAAAAAAAAAAAA$x', '$'])(
    'a stored hash "%s" is answered with 500 and never with a token',
    async (password) => {
      const key = credentialKeys.user(userHash('demo'));
      await harness.credentials.write({ kind: 'update', key, set: { password }, expect: {} });
      const answer = await harness.send({ body: credentials(demo, password === '' ? 'x' : password) });
      expect(oauthOf(answer)).toEqual([500, 'server_error']);
    },
  );

  it('passwords are hashed with scrypt N=2^17 and a salt of their own', async () => {
    const [one, two] = [await hashPassword(scryptKdf, 'secret'), await hashPassword(scryptKdf, 'secret')];
    expect(one).toMatch(/^scrypt\$131072\$8\$1\$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword(scryptKdf, 'secret', one)).toBe(true);
    expect(await verifyPassword(scryptKdf, 'Secret', one)).toBe(false);
  });
});

it('a failing table is answered with 503 in the form of RFC 6749', async () => {
  const broken = new MemoryTable(() => {
    throw new UnavailableError('table: throttled');
  });
  const down = authHarness({ credentials: broken });
  const answer = await down.send({ body: credentials(demo) });
  expect(oauthOf(answer)).toEqual([503, 'temporarily_unavailable']);
});
