import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { compilePolicy } from '../../local/core/iam.ts';
import { statementsOf } from '../../local/core/policy-documents.ts';
import { newKeyPair } from '../../local/services/transfer/host-key.ts';
import { Answer } from '../../local/services/transfer/identity.ts';
import { sftpLogin } from '../../shared/auth/sftp-login.ts';
import { authWorld, credentials, makeAccount, must, PASSWORD, type AuthWorld } from './world.ts';

let world: AuthWorld;
let demo: Awaited<ReturnType<typeof makeAccount>>;
beforeEach(async () => {
  world = authWorld();
  demo = await makeAccount(world, 'demo');
  world.spent.kdf = 0;
});

const place = { bucket: 'bucket', roleArn: 'arn:aws:iam::000000000000:role/sftp' };
const asked = { protocol: 'SFTP', serverId: 's-1', sourceIp: '192.0.2.1', username: 'demo' };
const ask = (question: unknown) => sftpLogin({ ...world.deps, place })(question);
const withPassword = (password: string, more: object = {}) => ask({ ...asked, password, ...more });
/** The session of an answer, as the SFTP server reads it. */
const session = async (answering: Promise<unknown>) => {
  const parsed = v.parse(Answer, await answering);
  if (!parsed) throw new Error('nobody was let in');
  return parsed;
};

describe('a user', () => {
  it('comes in with the right password, without being told any key', async () => {
    expect(await session(withPassword(PASSWORD))).toMatchObject({ Role: place.roleArn, PublicKeys: [] });
  });

  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown name', { username: 'nobody', password: PASSWORD }],
  ])('with %s is refused at the price of one key derivation', async (_, question) => {
    expect(await ask({ ...asked, ...question })).toEqual({});
    expect(world.spent.kdf).toBe(1);
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
  ])('with %s is refused at no price', async (_, question) => {
    expect(await ask({ ...asked, ...question })).toEqual({});
    expect(world.spent.kdf).toBe(0);
  });

  it.each([null, [], 'demo', 1, {}])('asked for as %j is refused', async (question) => {
    expect(await ask(question)).toEqual({});
  });

  it('is told which keys to show when no password is given', async () => {
    const key = newKeyPair().public;
    must(await world.run({ command: 'user.key.add', username: 'demo', key }));
    expect((await session(ask(asked))).PublicKeys).toEqual([key]);
    expect(world.spent.kdf).toBe(0);
    const { keys } = v.parse(
      v.looseObject({ keys: v.array(v.looseObject({ fingerprint: v.string() })) }),
      must(await world.run({ command: 'user.key.list', username: 'demo' })),
    );
    const fingerprint = keys[0]?.fingerprint;
    must(await world.run({ command: 'user.key.remove', username: 'demo', fingerprint }));
    expect(await ask(asked)).toEqual({});
  });

  it.each([
    ['disabled', { command: 'user.disable', username: 'demo' }],
    ['deleted', { command: 'user.delete', username: 'demo' }],
  ])('that was %s comes in neither by password nor by key', async (_, command) => {
    must(await world.run({ command: 'user.key.add', username: 'demo', key: newKeyPair().public }));
    await session(ask(asked));
    must(await world.run(command));
    expect(await ask(asked)).toEqual({});
    expect(await withPassword(PASSWORD)).toEqual({});
  });

  it('comes in with another password only, once it was changed', async () => {
    const password = 'another passphrase';
    must(await world.run({ command: 'user.password', username: 'demo', password }));
    expect(await withPassword(PASSWORD)).toEqual({});
    await session(withPassword(password));
  });

  it('of an account without properties has nowhere to go', async () => {
    const { account } = must(await world.run({ command: 'account.create', name: 'Empty' }));
    const user = { username: 'empty', email: 'e@example.com', first_name: 'E', last_name: 'E' };
    must(await world.run({ command: 'user.create', account, password: PASSWORD, ...user }));
    expect(await withPassword(PASSWORD, { username: 'empty' })).toEqual({});
  });

  it('is neither named nor quoted in the log', async () => {
    await withPassword(PASSWORD);
    await withPassword('a wrong secret');
    expect(
      world.lines.map((line) => v.parse(v.looseObject({ code: v.string() }), JSON.parse(line)).code),
    ).toEqual(['login.admitted', 'login.refused']);
    expect(world.lines.join('')).not.toMatch(/secret|correct horse|"demo"/);
  });
});

describe('ten failures', () => {
  const fail = async (times: number, more: object = {}) => {
    for (let count = 0; count < times; count += 1) await withPassword(`wrong ${count}`, more);
  };

  it('shut the door to the right password too, from there alone, for a quarter of an hour', async () => {
    await fail(10);
    expect(await withPassword(PASSWORD)).toEqual({});
    await session(withPassword(PASSWORD, { sourceIp: '192.0.2.2' }));
    world.time.now += 16 * 60_000;
    await session(withPassword(PASSWORD));
  });

  it('are counted apart from those of the token route', async () => {
    await fail(10, { sourceIp: '203.0.113.9' });
    expect(await withPassword(PASSWORD, { sourceIp: '203.0.113.9' })).toEqual({});
    const answer = await world.send({ body: credentials(demo), sourceIp: '203.0.113.9' });
    expect(answer.statusCode).toBe(200);
  });

  it('of one name leave another alone; a hundred of many names do not', async () => {
    await makeAccount(world, 'other');
    await fail(10);
    await session(withPassword(PASSWORD, { username: 'other' }));
    for (let name = 0; name < 90; name += 1) await fail(1, { username: `guess${name}` });
    expect(await withPassword(PASSWORD, { username: 'other' })).toEqual({});
  });
});

describe('the directories of a session', () => {
  it('are one a property, and a short one while there is but one', async () => {
    const target = `/bucket/sftp/${demo.account}/1001/imports`;
    expect((await session(withPassword(PASSWORD))).HomeDirectoryDetails).toEqual([
      { Entry: '/1001/imports', Target: target },
      { Entry: '/imports', Target: target },
    ]);
    must(await world.run({ command: 'property.create', account: demo.account, name: 'Second' }));
    expect((await session(withPassword(PASSWORD))).HomeDirectoryDetails).toEqual([
      { Entry: '/1001/imports', Target: target },
      { Entry: '/1002/imports', Target: `/bucket/sftp/${demo.account}/1002/imports` },
    ]);
  });
});

describe('the bounds of a session', () => {
  const file = 'sftp/1/1001/imports/5/people.csv';
  const may = async (action: string, key: string, listing?: string) => {
    const { Policy } = await session(withPassword(PASSWORD));
    const resource = `arn:aws:s3:::bucket${key === '' ? '' : `/${key}`}`;
    const context = listing === undefined ? {} : { context: { 's3:prefix': [listing] } };
    return compilePolicy(statementsOf(Policy))({ action, resource, ...context }) === 'allowed';
  };

  it.each(['s3:PutObject', 's3:GetObject', 's3:DeleteObject'])('let files be: %s', async (action) => {
    expect(await may(action, file)).toBe(true);
  });

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
  ])('let nothing be put: %s', async (_, key) => {
    expect(await may('s3:PutObject', key)).toBe(false);
    expect(await may('s3:DeleteObject', key)).toBe(false);
  });

  it('let the account be listed, and nothing else', async () => {
    expect(await may('s3:ListBucket', '', 'sftp/1/1001/imports/')).toBe(true);
    for (const listing of ['', 'sftp/', 'sftp/2/', 'sftp/11/', 'uploads/'])
      expect(await may('s3:ListBucket', '', listing)).toBe(false);
    expect(await may('s3:ListBucket', '')).toBe(false);
  });

  it('fit into a session policy whatever the account has', async () => {
    const answer = v.parse(v.looseObject({ Policy: v.string() }), await withPassword(PASSWORD));
    expect(answer.Policy.length).toBeLessThan(1_000);
  });
});
