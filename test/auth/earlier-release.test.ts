/** Release 0.2.0 and this code on one table: they run side by side during a deployment, and a customer may go back. */
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  sshKeyItem,
  tokenFrom,
  userFrom,
  userHash,
  userTokenFrom,
} from '../../shared/auth/credential-items.ts';
import { allPermissions } from '../../shared/http/permissions.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { attributesOf } from '../releases/item-kinds.ts';
import { releasedItemKinds } from '../releases/release-files.ts';
import { callerRoutes } from './caller-routes.ts';
import { type Account, type AuthHarness, demoHarness, must, PASSWORD, tokenOf } from './harness.ts';

let harness: AuthHarness;
let demo: Account;
beforeEach(async () => {
  ({ harness, demo } = await demoHarness());
});

const id = v.pipe(v.number(), v.safeInteger());

/** The schemas of release 0.2.0. */
const released = {
  user: v.object({
    ...{ id, account: id, username: v.string(), email: v.string(), first_name: v.string() },
    ...{ last_name: v.string(), password: v.string(), epoch: v.string(), disabled: v.boolean() },
    ssh_keys: v.array(sshKeyItem),
  }),
  token: v.object({
    ...{ user: v.string(), account: id, epoch: v.string(), created: v.number(), expires: v.number() },
  }),
  userToken: v.object({ token: v.string() }),
};

/** Whether release 0.2.0 lets a token in, with all that there is: it reads token and user, and compares their epochs. */
const isGoodIn020 = async (token: string): Promise<boolean> => {
  const stored = v.parse(released.token, await harness.credentials.get(credentialKeys.token(sha256(token))));
  const user = v.parse(released.user, await harness.credentials.get(credentialKeys.user(stored.user)));
  return stored.epoch === user.epoch;
};

/** Stores a token of the user `demo` as release 0.2.0 does. */
const tokenOf020 = async (): Promise<string> => {
  const token = harness.deps.ids.hex(32);
  const [hash, owner, created] = [sha256(token), userHash('demo'), (harness.time.now += 1)];
  const { epoch, account } = v.parse(
    released.user,
    await harness.credentials.get(credentialKeys.user(owner)),
  );
  const expires = created + 2_592_000_000;
  const ttl = Math.ceil(expires / 1_000);
  await harness.credentials.put(credentialKeys.userToken(owner, created, hash), { token: hash, ttl });
  const set = { user: owner, account, epoch, created, expires, ttl };
  await harness.credentials.put(credentialKeys.token(hash), set);
  return token;
};

/** Stores the user `demo` as release 0.2.0 has made it. */
const userOf020 = async (): Promise<void> => {
  const key = credentialKeys.user(userHash('demo'));
  await harness.credentials.put(key, v.parse(released.user, await harness.credentials.get(key)));
};

const run = async (command: string, more: object = {}) => must(await harness.run({ command, ...more }));

const me = v.looseObject({
  role: v.string(),
  permissions: v.array(v.string()),
  token: v.looseObject({ name: v.nullable(v.string()), properties: v.nullable(v.array(v.number())) }),
});
const meOf = async (token: string) => {
  harness.time.now += 30_000;
  return v.parse(me, JSON.parse((await callerRoutes(harness).me(token)).body));
};

it('the schemas of release 0.2.0 in this file are those of its item kinds', () => {
  expect(
    Object.fromEntries(Object.entries(released).map(([kind, schema]) => [kind, attributesOf(schema)])),
  ).toEqual(
    Object.fromEntries(Object.keys(released).map((kind) => [kind, releasedItemKinds('0.2.0')[kind]])),
  );
});

describe('release 0.2.0, which takes each token for one that may do everything,', () => {
  it.each([
    ['the token of a sign-in', {}],
    ['a key without bounds', { name: 'Everything', expires_in: 31_536_000 }],
    ['a token whose scope names every permission', { scope: allPermissions.join(' ') }],
  ])('lets %s of an owner in', async (_, asked) => {
    expect(await isGoodIn020(await tokenOf(harness, demo, asked))).toBe(true);
  });

  it.each([
    ['lacks one permission', { scope: allPermissions.slice(1).join(' ') }],
    ['may send people alone', { scope: 'people.write', name: 'Box office' }],
    ['reaches one property', { property_ids: [1001] }],
  ])('refuses a token that %s', async (_, asked) => {
    expect(await isGoodIn020(await tokenOf(harness, demo, asked))).toBe(false);
  });

  it.each(['editor', 'importer', 'exporter', 'reader', 'viewer'])(
    'refuses a token that a user in the role %s got here',
    async (role) => {
      await run('user.role', { username: 'demo', role });
      expect(await isGoodIn020(await tokenOf(harness, demo))).toBe(false);
    },
  );

  it('lets the earlier token of an owner in after a lower role, until the user is disabled', async () => {
    const token = await tokenOf(harness, demo);
    await run('user.role', { username: 'demo', role: 'viewer' });
    expect(await isGoodIn020(token)).toBe(true);
    await run('user.disable', { username: 'demo' });
    expect(await isGoodIn020(token)).toBe(false);
  });

  it('reads every user, and every entry of a list of tokens', async () => {
    await run('user.role', { username: 'demo', role: 'reader' });
    await tokenOf(harness, demo, { name: 'Key' });
    await tokenOf(harness, demo);
    const { items } = await harness.credentials.query(credentialKeys.userTokens(userHash('demo')), {});
    expect(items.map((item) => v.parse(released.userToken, item))).toHaveLength(2);
    expect(v.is(released.user, await harness.credentials.get(credentialKeys.user(userHash('demo'))))).toBe(
      true,
    );
  });
});

describe('what release 0.2.0 has stored', () => {
  beforeEach(userOf020);

  it('is a user who is an owner, and a token that may do everything everywhere', async () => {
    const token = await tokenOf020();
    expect(await meOf(token)).toMatchObject({
      ...{ role: 'owner', permissions: allPermissions },
      token: { name: null, properties: null },
    });
    expect(await run('token.list', { username: 'demo' })).toMatchObject({
      tokens: [{ id: sha256(token), name: null, properties: 'all', may: 'everything' }],
    });
    expect(await run('user.show', { username: 'demo' })).toMatchObject({ role: 'owner' });
  });

  it('takes a role, which stays when 0.2.0 changes the user, and bounds a token that 0.2.0 makes', async () => {
    await run('user.role', { username: 'demo', role: 'reader' });
    // `user password` and `user disable` of 0.2.0 set these attributes, and no others.
    const key = credentialKeys.user(userHash('demo'));
    const { w = '' } = (await harness.credentials.get(key)) ?? {};
    const set = { epoch: 'another', disabled: false };
    await harness.credentials.write({ kind: 'update', key, set, expect: { w } });
    const token = await tokenOf020();
    expect(await isGoodIn020(token)).toBe(true);
    expect(await meOf(token)).toMatchObject({
      role: 'reader',
      permissions: ['definitions.read', 'people.read'],
    });
  });

  it('is changed by each command as before, and stays an owner', async () => {
    await run('user.password', { username: 'demo', password: PASSWORD });
    await run('user.disable', { username: 'demo' });
    await run('user.enable', { username: 'demo' });
    expect((await meOf(await tokenOf(harness, demo))).role).toBe('owner');
  });
});

it('a token that might do everything stays in force when there is one more permission', async () => {
  const token = await tokenOf(harness, demo);
  const key = credentialKeys.token(sha256(token));
  const permissions = allPermissions.slice(1);
  await harness.credentials.put(key, { ...(await harness.credentials.get(key)), permissions });
  expect((await meOf(token)).permissions).toEqual(permissions);
});

it('an item of a version that is not known is refused, not taken for one of 0.2.0', async () => {
  const token = sha256(await tokenOf(harness, demo));
  const owner = userHash('demo');
  const { items } = await harness.credentials.query(credentialKeys.userTokens(owner), {});
  const user = await harness.credentials.get(credentialKeys.user(owner));
  const stored = await harness.credentials.get(credentialKeys.token(token));
  for (const version of [3, 1, null, 'x']) {
    expect(() => userFrom({ ...user, version })).toThrow();
    expect(() => tokenFrom({ ...stored, version })).toThrow();
    expect(() => userTokenFrom({ ...items[0], version })).toThrow();
  }
});
