import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { allPermissions, allRoles, roles } from '../../shared/http/permissions.ts';
import { auditCommand } from '../../shared/operator/audit-command.ts';
import { operate, readCommand } from '../../shared/operator/operator-commands.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { userHash } from '../../shared/auth/credential-items.ts';
import { credentials, must, PASSWORD, type AuthHarness } from '../auth/harness.ts';
import { eventOf, sampleHarness } from '../edge/route.ts';

let sample: Awaited<ReturnType<typeof sampleHarness>>;
let harness: AuthHarness;
beforeEach(async () => {
  sample = await sampleHarness();
  harness = sample.harness;
});

const run = async (command: string, more: object = {}) => must(await harness.run({ command, ...more }));
const setRole = (role: string) => run('user.role', { username: 'demo', role });

const tokenAnswer = v.looseObject({ access_token: v.string(), scope: v.string() });

/** A sign-in of the user `demo`, or the key that it asks for. */
const signIn = async (more: object = {}, username = 'demo') => {
  // Lists have tokens by their times.
  harness.time.now += 1;
  const answer = await harness.send({ body: { ...credentials({ ...sample.demo, username }), ...more } });
  return v.parse(tokenAnswer, JSON.parse(answer.body));
};

/** The status of a request that needs `definitions.write`, some seconds later. */
const statusOf = async (token: string, seconds = 30): Promise<number> => {
  harness.time.now += seconds * 1_000;
  return (await sample.handler(eventOf(sample.demo.property, token, {}))).statusCode;
};

const person = { email: 'x@example.org', first_name: 'X', last_name: 'Y', password: PASSWORD };

describe('the role of a user', () => {
  it('is owner, unless the operator says another', async () => {
    const account = sample.demo.account;
    expect(await run('user.create', { account, username: 'second', ...person })).toMatchObject({
      role: 'owner',
    });
    const made = { account, username: 'third', ...person, role: 'importer' };
    expect(await run('user.create', made)).toMatchObject({ username: 'third', role: 'importer' });
    const opened = { name: 'Opened', with_user: 'fourth', email: 'x@example.org' };
    expect(await run('account.create', opened)).toMatchObject({ username: 'fourth', role: 'owner' });
    expect((await signIn({}, 'second')).scope).toBe(allPermissions.join(' '));
    expect((await signIn({}, 'third')).scope).toBe('definitions.read people.write');
  });

  it.each(allRoles)('%s is what `user role` gives, and every list of users shows it', async (role) => {
    expect(await setRole(role)).toEqual({ ok: true, username: 'demo', role });
    const { account } = sample.demo;
    expect(await run('user.show', { username: 'demo' })).toMatchObject({ username: 'demo', role });
    for (const list of ['user.list', 'account.show'])
      expect(await run(list, { account })).toMatchObject({ users: [{ username: 'demo', role }] });
    expect((await signIn()).scope).toBe(allPermissions.filter((one) => isIn(one, role)).join(' '));
  });

  const isIn = (permission: string, role: keyof typeof roles): boolean =>
    roles[role].some((one) => one === permission);

  it('is one of the roles: another word is refused, and the sentence names them', () => {
    const words = 'Must be owner, editor, importer, exporter, reader or viewer.';
    const created = { command: 'user.create', account: 1, username: 'second', ...person };
    for (const command of [{ command: 'user.role', username: 'demo' }, created]) {
      const read = readCommand({ ...command, role: 'admin' });
      expect(read.ok || read.error).toEqual([{ pointer: '/role', code: 'not_allowed', detail: words }]);
    }
    const missing = readCommand({ command: 'user.role', username: 'demo' });
    expect(missing.ok || missing.error).toMatchObject([{ pointer: '/role', code: 'required' }]);
  });

  it('is given to a user who is there', async () => {
    const nobody = { command: 'user.role', username: 'nobody', role: 'reader' };
    expect(await harness.run(nobody)).toMatchObject({ error: { code: 'unknown_user' } });
  });

  it('changes nothing else of the user', async () => {
    const key = credentialKeys.user(userHash('demo'));
    const before = await harness.credentials.get(key);
    await setRole('viewer');
    const after = await harness.credentials.get(key);
    expect(after).toEqual({ ...before, role: 'viewer', w: after?.w });
  });

  it('is given also while other commands change the user', async () => {
    const commands = [
      { command: 'user.role', username: 'demo', role: 'reader' },
      { command: 'user.password', username: 'demo', password: 'another passphrase' },
      { command: 'user.role', username: 'demo', role: 'reader' },
    ];
    for (const answer of await Promise.all(commands.map((one) => harness.run(one)))) must(answer);
    expect(await run('user.show', { username: 'demo' })).toMatchObject({ role: 'reader' });
    expect((await harness.send({ body: credentials(sample.demo) })).statusCode).toBe(400);
  });
});

describe('a token', () => {
  it('loses within 30 seconds what a lower role does not allow, also when it was just used', async () => {
    const token = sample.tokens.demo;
    expect(await statusOf(token)).toBe(201);
    await setRole('reader');
    // The function still trusts what it has read.
    expect(await statusOf(token, limits.auth.tokenCacheSeconds - 1)).toBe(201);
    expect(await statusOf(token, 30 - limits.auth.tokenCacheSeconds + 1)).toBe(403);
  });

  it('that was made under a higher role has it again when the role is given back', async () => {
    await setRole('reader');
    expect(await statusOf(sample.tokens.demo)).toBe(403);
    await setRole('editor');
    expect(await statusOf(sample.tokens.demo)).toBe(201);
  });

  it('that was made under a lower role does not gain by a higher one; a new sign-in does', async () => {
    await setRole('reader');
    const { access_token: earlier } = await signIn();
    await setRole('owner');
    expect(await statusOf(earlier)).toBe(403);
    expect(await statusOf((await signIn()).access_token)).toBe(201);
  });
});

describe('the list of tokens', () => {
  const listed = v.object({
    tokens: v.array(
      v.object({
        ...{ id: v.string(), username: v.string(), name: v.nullable(v.string()), created: v.string() },
        ...{ expires: v.string(), properties: v.string(), may: v.string() },
      }),
    ),
  });
  const tokensOf = async () => v.parse(listed, await run('token.list', { username: 'demo' })).tokens;

  it('shows the name of a key, its properties, and what each token may do', async () => {
    const { property } = sample.demo;
    const key = { name: 'Box office', scope: 'people.write', property_ids: [property] };
    const { access_token } = await signIn(key);
    const [first, second] = await tokensOf();
    expect(first).toMatchObject({ name: null, properties: 'all', may: 'everything' });
    expect(second).toMatchObject({
      ...{ id: sha256(access_token), name: 'Box office' },
      ...{ properties: String(property), may: 'people.write' },
    });
  });

  it('shows what the role of the user leaves of a token', async () => {
    await signIn({ name: 'Box office', scope: 'people.write' });
    await setRole('reader');
    expect((await tokensOf()).map(({ may }) => may)).toEqual(['definitions.read people.read', 'nothing']);
  });
});

describe('the audit log', () => {
  const command = (payload: object) =>
    auditCommand(harness.deps, { operator: 'eve', ...payload }, (one) => operate(harness.deps, one));
  const entriesOf = (action: string) =>
    harness.auditLog.items().filter((entry) => entry['action'] === `operator ${action}`);

  it('says who got which role from whom', async () => {
    must(await command({ command: 'user.role', username: 'demo', role: 'reader' }));
    expect(entriesOf('user.role')).toEqual([
      expect.objectContaining({ outcome: 'ok', operator: 'eve', ids: { user_id: 1, role: 'reader' } }),
    ]);
  });

  it('says the role of a new user, also where the command names none', async () => {
    const { account } = sample.demo;
    must(await command({ command: 'user.create', account, username: 'second', ...person, role: 'viewer' }));
    must(await command({ command: 'user.create', account, username: 'third', ...person }));
    const opened = { name: 'Opened', with_user: 'fourth', email: 'x@example.org' };
    must(await command({ command: 'account.create', ...opened }));
    const ids = entriesOf('user.create').map((entry) => entry['ids']);
    expect(ids).toContainEqual({ user_id: 3, role: 'viewer' });
    expect(ids).toContainEqual({ user_id: 4, role: 'owner' });
    expect(entriesOf('account.create').map((entry) => entry['ids'])).toEqual([{ user_id: 5, role: 'owner' }]);
  });

  it('has no other text in the place of a role', async () => {
    await command({ command: 'user.role', username: 'demo', role: 'ada@example.org' });
    const [entry] = entriesOf('user.role');
    expect(entry).toMatchObject({ outcome: 'invalid' });
    expect(JSON.stringify(entry)).not.toContain('example.org');
  });
});
