import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { compilePolicy } from '../../local/core/iam.ts';
import { statementsOf } from '../../local/core/policy-documents.ts';
import { newKeyPair } from '../../local/services/transfer/host-key.ts';
import { Answer } from '../../local/services/transfer/identity.ts';
import { sftpLogin } from '../../shared/auth/sftp-login.ts';
import { allRoles, roleHas } from '../../shared/http/permissions.ts';
import {
  type Account,
  type AuthHarness,
  credentials,
  demoHarness,
  makeAccount,
  must,
  PASSWORD,
} from './harness.ts';

let harness: AuthHarness;
let demo: Account;
beforeEach(async () => {
  ({ harness, demo } = await demoHarness());
});

const place = { bucket: 'bucket', roleArn: 'arn:aws:iam::000000000000:role/sftp' };
const asked = { protocol: 'SFTP', serverId: 's-1', sourceIp: '192.0.2.1', username: 'demo' };
const ask = (question: unknown) => sftpLogin({ ...harness.deps, place })(question);
const withPassword = (password: string, more: object = {}) => ask({ ...asked, password, ...more });

/** The session of an answer, as the SFTP server reads it. */
const session = async (answering: Promise<unknown>) => {
  const parsed = v.parse(Answer, await answering);
  if (!parsed) throw new Error('nobody was let in');
  return parsed;
};

describe('an SFTP login', () => {
  it('the right password logs in, and the answer holds no key', async () => {
    expect(await session(withPassword(PASSWORD))).toMatchObject({ Role: place.roleArn, PublicKeys: [] });
  });

  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown name', { username: 'nobody', password: PASSWORD }],
  ])('%s is refused at the price of one key derivation', async (_, question) => {
    expect(await ask({ ...asked, ...question })).toEqual({});
    expect(harness.spent.kdf).toBe(1);
  });

  it.each([
    ['no password and no keys', {}],
    ['an empty password', { password: '' }],
    ['a password of 1,025 characters', { password: 'x'.repeat(1_025) }],
    ['a password with a control character', { password: `${PASSWORD}\u0000` }],
    ['a name with a line break', { username: 'demo\n', password: PASSWORD }],
    ['a name of 10 KB', { username: 'x'.repeat(10_240), password: PASSWORD }],
    ['an empty name', { username: '', password: PASSWORD }],
    ['a name that is a list', { username: ['demo'], password: PASSWORD }],
    ['a password that is an object', { password: { length: 3 } }],
    ['another protocol', { protocol: 'FTP', password: PASSWORD }],
    ['no source address', { sourceIp: undefined, password: PASSWORD }],
  ])('a login with %s is refused without a key derivation', async (_, question) => {
    expect(await ask({ ...asked, ...question })).toEqual({});
    expect(harness.spent.kdf).toBe(0);
  });

  it.each([null, [], 'demo', 1, {}])('the login event %j is refused', async (question) => {
    expect(await ask(question)).toEqual({});
  });

  it("a login without a password returns the user's public keys", async () => {
    const key = newKeyPair().public;
    must(await harness.run({ command: 'user.key.add', username: 'demo', key }));
    expect((await session(ask(asked))).PublicKeys).toEqual([key]);
    expect(harness.spent.kdf).toBe(0);
    const { keys } = v.parse(
      v.looseObject({ keys: v.array(v.looseObject({ fingerprint: v.string() })) }),
      must(await harness.run({ command: 'user.key.list', username: 'demo' })),
    );
    const fingerprint = keys[0]?.fingerprint;
    must(await harness.run({ command: 'user.key.remove', username: 'demo', fingerprint }));
    expect(await ask(asked)).toEqual({});
  });

  it.each([
    ['disabled', { command: 'user.disable', username: 'demo' }],
    ['deleted', { command: 'user.delete', username: 'demo' }],
  ])('a user that was %s logs in neither by password nor by key', async (_, command) => {
    must(await harness.run({ command: 'user.key.add', username: 'demo', key: newKeyPair().public }));
    await session(ask(asked));
    must(await harness.run(command));
    expect(await ask(asked)).toEqual({});
    expect(await withPassword(PASSWORD)).toEqual({});
  });

  it('only the new password works after a change', async () => {
    const password = 'another passphrase';
    must(await harness.run({ command: 'user.password', username: 'demo', password }));
    expect(await withPassword(PASSWORD)).toEqual({});
    await session(withPassword(password));
  });

  it('the user of an account without properties has no directory', async () => {
    const { account } = must(await harness.run({ command: 'account.create', name: 'Empty' }));
    const user = { username: 'empty', email: 'e@example.com', first_name: 'E', last_name: 'E' };
    must(await harness.run({ command: 'user.create', account, password: PASSWORD, ...user }));
    expect(await withPassword(PASSWORD, { username: 'empty' })).toEqual({});
  });

  it('the log neither names nor quotes the user', async () => {
    await withPassword(PASSWORD);
    await withPassword('a wrong secret');
    expect(harness.told()).toMatchObject([{ code: 'login.admitted' }, { code: 'login.refused' }]);
    expect(harness.lines.join('')).not.toMatch(/secret|correct horse|"demo"/);
  });
});

const setRole = async (role: string) =>
  must(await harness.run({ command: 'user.role', username: 'demo', role }));

describe('the role of a user', () => {
  const addKey = async () =>
    must(await harness.run({ command: 'user.key.add', username: 'demo', key: newKeyPair().public }));
  const sending = allRoles.filter((role) => roleHas(role, 'people.write'));
  const others = allRoles.filter((role) => !roleHas(role, 'people.write'));

  /** The outcomes in the audit log and in the log of the function, of the logins so far. */
  const outcomes = () => ({
    audited: harness.auditLog.items().map(({ outcome }) => outcome),
    told: harness.told().map((line) => v.parse(v.looseObject({ code: v.string() }), line).code),
  });

  it('lets owners, editors and importers log in, and nobody else', () => {
    expect(sending).toEqual(['owner', 'editor', 'importer']);
    expect(others).toEqual(['exporter', 'reader', 'viewer']);
  });

  it.each(sending)('%s lets in by password and by key', async (role) => {
    await addKey();
    await setRole(role);
    await session(withPassword(PASSWORD));
    expect((await session(ask(asked))).PublicKeys).toHaveLength(1);
    expect(outcomes().audited.toSorted()).toEqual(['admitted', 'keys_asked']);
  });

  it.each(others)('%s lets nobody in, and the log says that it was the role', async (role) => {
    await addKey();
    await setRole(role);
    expect(await withPassword(PASSWORD)).toEqual({});
    expect(await ask(asked)).toEqual({});
    expect(outcomes()).toEqual({
      audited: ['not_permitted', 'not_permitted'],
      told: ['login.refused', 'login.refused'],
    });
  });

  it('is not told to whoever has no password, and costs the same', async () => {
    await setRole('reader');
    harness.spent.kdf = 0;
    expect(await withPassword('wrong')).toEqual({});
    expect(await ask(asked)).toEqual({});
    expect(outcomes().audited).toEqual(['refused', 'refused']);
    expect(harness.spent.kdf).toBe(1);
    expect(await withPassword(PASSWORD)).toEqual({});
    expect(harness.spent.kdf).toBe(2);
  });
});

describe('ten failed SFTP logins', () => {
  const fail = async (times: number, more: object = {}) => {
    for (let count = 0; count < times; count += 1) await withPassword(`wrong ${count}`, more);
  };

  it('ten failures also refuse the right password, from the same source alone, for a quarter of an hour', async () => {
    await fail(10);
    expect(await withPassword(PASSWORD)).toEqual({});
    await session(withPassword(PASSWORD, { sourceIp: '192.0.2.2' }));
    harness.time.now += 16 * 60_000;
    await session(withPassword(PASSWORD));
  });

  it('SFTP failures are counted apart from failures of the token route', async () => {
    await fail(10, { sourceIp: '203.0.113.9' });
    expect(await withPassword(PASSWORD, { sourceIp: '203.0.113.9' })).toEqual({});
    const answer = await harness.send({ body: credentials(demo), sourceIp: '203.0.113.9' });
    expect(answer.statusCode).toBe(200);
  });

  it('failures of one name leave another name alone, and a hundred failures of many names do not', async () => {
    await makeAccount(harness, 'other');
    await fail(10);
    await session(withPassword(PASSWORD, { username: 'other' }));
    for (let name = 0; name < 90; name += 1) await fail(1, { username: `guess${name}` });
    expect(await withPassword(PASSWORD, { username: 'other' })).toEqual({});
  });
});

describe('the directories of a session', () => {
  it('a session has one directory for each property, and a short path while the account has one property', async () => {
    const target = `/bucket/sftp/${demo.account}/1001/imports`;
    expect((await session(withPassword(PASSWORD))).HomeDirectoryDetails).toEqual([
      { Entry: '/1001/imports', Target: target },
      { Entry: '/imports', Target: target },
    ]);
    must(await harness.run({ command: 'property.create', account: demo.account, name: 'Second' }));
    expect((await session(withPassword(PASSWORD))).HomeDirectoryDetails).toEqual([
      { Entry: '/1001/imports', Target: target },
      { Entry: '/1002/imports', Target: `/bucket/sftp/${demo.account}/1002/imports` },
    ]);
  });
});

describe('the session policy', () => {
  const file = 'sftp/1/1001/imports/5/people.csv';
  const may = async (action: string, key: string, listing?: string) => {
    const { Policy } = await session(withPassword(PASSWORD));
    const resource = `arn:aws:s3:::bucket${key === '' ? '' : `/${key}`}`;
    const context = listing === undefined ? {} : { context: { 's3:prefix': [listing] } };
    return compilePolicy(statementsOf(Policy))({ action, resource, ...context }) === 'allowed';
  };

  it.each(['s3:PutObject', 's3:GetObject', 's3:DeleteObject'])(
    'the session policy allows %s on files of the account',
    async (action) => {
      expect(await may(action, file)).toBe(true);
    },
  );

  it.each([
    ['another account', 'sftp/2/1001/imports/5/people.csv'],
    ['an account that begins alike', 'sftp/11/1001/imports/5/people.csv'],
    ['the other uploads', 'uploads/1001/imports/5/6/0'],
    ['the root of the bucket', 'people.csv'],
    ['a place above', 'sftp/1/1001/people.csv'],
    ['the directory of directories', 'sftp/1/1001/imports/people.csv'],
    ['a directory', 'sftp/1/1001/imports/5/'],
    ['a new directory', 'sftp/1/1001/imports/6/'],
    ['a directory of a directory', 'sftp/1/1001/imports/5/sub/'],
    ['a file deeper', 'sftp/1/1001/imports/5/sub/people.csv'],
    ['imports in imports', 'sftp/1/1001/imports/5/imports/6/people.csv'],
  ])('the session policy refuses writes to %s', async (_, key) => {
    expect(await may('s3:PutObject', key)).toBe(false);
    expect(await may('s3:DeleteObject', key)).toBe(false);
  });

  it('lets a user who may not see people send, list and remove, but read only results', async () => {
    await setRole('importer');
    for (const action of ['s3:PutObject', 's3:DeleteObject']) expect(await may(action, file)).toBe(true);
    expect(await may('s3:ListBucket', '', 'sftp/1/1001/imports/')).toBe(true);
    // Transfer Family asks for the object of a directory.
    for (const readable of [`${file}.result.json`, 'sftp/1/1001/imports/5/'])
      expect(await may('s3:GetObject', readable)).toBe(true);
    for (const hidden of [file, `${file}.refused.csv`, 'sftp/2/1001/imports/5/people.csv.result.json'])
      expect(await may('s3:GetObject', hidden)).toBe(false);
  });

  it.each(['owner', 'editor'])('lets an %s read files, because the role sees people', async (role) => {
    await setRole(role);
    for (const key of [file, `${file}.refused.csv`]) expect(await may('s3:GetObject', key)).toBe(true);
  });

  it("the session policy allows listing of the account's folder only", async () => {
    expect(await may('s3:ListBucket', '', 'sftp/1/1001/imports/')).toBe(true);
    for (const listing of ['', 'sftp/', 'sftp/2/', 'sftp/11/', 'uploads/'])
      expect(await may('s3:ListBucket', '', listing)).toBe(false);
    expect(await may('s3:ListBucket', '')).toBe(false);
  });

  it('the session policy stays below the size limit for any account', async () => {
    for (const role of ['owner', 'importer']) {
      await setRole(role);
      const answer = v.parse(v.looseObject({ Policy: v.string() }), await withPassword(PASSWORD));
      expect(answer.Policy.length).toBeLessThan(1_200);
    }
  });
});
