import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { newFolders } from '../../local/test/support/folders.ts';
import type { Reply } from '../client/small-server.ts';
import { callerWith } from './caller.ts';
import { hostile, obeyed } from './hostile-service.ts';
import { inProcess } from './run-cli.ts';
import { bodiesOf, createKey, key, listed, piped, served, usersIn } from './token-service.ts';

const newFolder = newFolders();
const { signedIn, inHome } = usersIn(newFolder);

describe('token create', () => {
  it('asks a signed-in user for the password only, and prints nothing but the token', async () => {
    await using server = await served();
    const { code, stdout, stderr } = await inHome(server, [
      ...createKey,
      ...['--may', 'people.write', '--days', '365', '--password-stdin'],
    ]);
    expect([code, stdout]).toEqual([0, 'secret-key\n']);
    expect(stderr).toMatch(
      /^key +Box office \(0123abc1\)\nmay +people\.write\nreaches +only property 7\nworks until +2027-11-29 .*\nThe token is shown only now; keep it safe:\n$/,
    );
    expect(bodiesOf(server, '/oauth/token')).toEqual([
      {
        ...{ grant_type: 'password', client_id: 'hall', username: 'ada', password: 'hunter2' },
        ...{ name: 'Box office', scope: 'people.write', property_ids: [7], expires_in: 31_536_000 },
      },
    ]);
    const [, asKey] = server.received;
    expect([asKey?.url, asKey?.headers.authorization]).toEqual(['/v1/me', 'Bearer secret-key']);
  });

  it('prints one JSON document', async () => {
    await using server = await served();
    const args = ['--may', 'people.write', '--password-stdin', '--json'];
    expect(JSON.parse((await inHome(server, [...createKey, ...args])).stdout)).toEqual({
      ...key,
      permissions: ['people.write'],
      access_token: 'secret-key',
    });
  });

  it.each([
    [
      ['--may', 'people.write'],
      ['--may', 'definitions.read people.write'],
    ],
    [['--may', 'people.write,definitions.read']],
    [['--may', ' people.write  definitions.read ']],
  ])('takes several permissions: %j %j', async (...options) => {
    await using server = await served();
    await inHome(server, [...createKey, '--password-stdin', ...options.flat()]);
    expect(bodiesOf(server, '/oauth/token')).toMatchObject([{ scope: 'people.write definitions.read' }]);
  });

  it.each([
    [['--property', '8'], { property_ids: [8] }],
    [['--all-properties'], {}],
  ])('reaches what %j says', async (options, expected) => {
    await using server = await served();
    const { code } = await inHome(server, [
      ...createKey,
      ...['--may', 'all', '--password-stdin'],
      ...options,
    ]);
    const [body] = bodiesOf(server, '/oauth/token');
    const signedIn = { grant_type: 'password', client_id: 'hall', username: 'ada', password: 'hunter2' };
    expect([code, body]).toEqual([0, { ...signedIn, name: 'Box office', ...expected }]);
  });

  it.each([
    [[], "required option '--may <permissions>' not specified"],
    [['--may', 'people.wirte'], 'There is no permission "people.wirte". Did you mean people.write?'],
    [['--may', 'everything\x1b'], 'There is no permission "everything�". The permissions are account.read, '],
    [['--may', ' , '], 'It is empty.'],
    [['--may', 'all', '--days', '366'], 'A key works for 365 days at most.'],
    [['--may', 'all', '--all-properties', '--property', '7'], 'but not both.'],
    [['--may', 'all', '--property', '7'], 'Nobody can type a password here; add --password-stdin.'],
  ])('refuses %j before it sends anything', async (options, message) => {
    await using server = await served();
    const { code, stderr } = await inHome(server, [...createKey, ...options]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(server.received).toEqual([]);
  });

  it('lets a key work for as many days as the service does', () => {
    expect(limits.auth.keySeconds).toBe(365 * 86_400);
    expect(limits.auth.tokenSeconds).toBe(30 * 86_400);
  });

  it('needs no sign-in, but then an address, all credentials and a property', async () => {
    await using server = await served();
    const run = (...options: readonly string[]) =>
      inProcess({ folder: newFolder() }, [...createKey, '--may', 'all', ...options], piped);
    expect((await run()).code).toBe(3);
    const at = ['--base-url', server.url, '--password-stdin'];
    expect((await run(...at)).stderr).toContain('Add --property <id>, or --all-properties.');
    expect((await run(...at, '--property', '7')).stderr).toContain('add --client-id');
    const named = ['--client-id', 'c', '--username', 'bo'];
    expect((await run(...at, '--property', '7', ...named)).stdout).toBe('secret-key\n');
    expect(bodiesOf(server, '/oauth/token')).toMatchObject([{ client_id: 'c', username: 'bo' }]);
  });

  it('asks for the client id where an earlier version kept none', async () => {
    await using server = await served();
    const { home } = await signedIn(server.url, {});
    const { stderr } = await inProcess(home, [...createKey, '--may', 'all', '--password-stdin'], piped);
    expect(stderr).toContain('add --client-id');
  });

  it('asks nothing at a service on this machine, unless an option names another user', async () => {
    await using server = await served();
    const local = {
      ...{ baseUrl: server.url, clientId: 'demo-client', username: 'demo', password: 'demo-password' },
      propertyId: 7,
    };
    const home = { folder: newFolder() };
    const args = [...createKey, '--may', 'people.write'];
    // The command line signs in by itself, and keeps the token.
    expect(await inProcess(home, ['status'], { local })).toMatchObject({ code: 0 });
    expect(await inProcess(home, args, { local })).toMatchObject({ code: 0, stdout: 'secret-key\n' });
    const other = [...args, '--username', 'bo', '--password-stdin'];
    expect(await inProcess(home, other, { local, ...piped })).toMatchObject({ code: 0 });
    const { home: mine } = await signedIn(server.url);
    expect(await inProcess(mine, [...args, '--password-stdin'], { local, ...piped })).toMatchObject({
      code: 0,
    });
    expect((await inProcess(mine, args, { local })).stderr).toContain('--password-stdin');
    expect(bodiesOf(server, '/oauth/token')).toMatchObject([
      { client_id: 'demo-client', username: 'demo', password: 'demo-password' },
      { client_id: 'demo-client', username: 'demo', password: 'demo-password', property_ids: [7] },
      { client_id: 'demo-client', username: 'bo', password: 'hunter2' },
      { client_id: 'hall', username: 'ada', password: 'hunter2' },
    ]);
  });

  const refusal = (error: string, error_description: string): Reply => ({
    status: 400,
    body: { error, error_description },
  });
  it.each([
    [
      refusal('invalid_request', 'You have 20 keys; end one first: DELETE /v1/me/tokens/{token_id}.'),
      [1, 'tidemark: You have 20 keys; end one first: tidemark token end <id>.\n'],
    ],
    [
      refusal('invalid_request', 'property_ids names a property that does not exist.'),
      [1, 'tidemark: --property names a property that does not exist.\n'],
    ],
    [
      refusal('invalid_scope', 'The role of the user is viewer.'),
      [1, 'tidemark: The role of the user is viewer.\n'],
    ],
    [refusal('invalid_grant', ''), [3, 'tidemark: The client id, the user name or the password is wrong.\n']],
    [
      { status: 404, body: {} } as const,
      [1, expect.stringMatching(/^tidemark: No Tidemark answers at .*\n$/)],
    ],
  ])('says why there is no key: %j', async (reply, expected) => {
    await using server = await served({ 'POST /oauth/token': reply });
    const { code, stdout, stderr } = await inHome(server, [...createKey, '--may', 'all', '--password-stdin']);
    expect([stdout, code, stderr]).toEqual(['', ...expected]);
  });

  it('warns of a key whose token was lost, and makes no second one', async () => {
    await using server = await served({ 'POST /oauth/token': 'break' });
    const args = [...createKey, '--may', 'all', '--password-stdin'];
    const { code, stderr } = await inHome(server, args);
    expect([code, server.received.length]).toEqual([1, 1]);
    expect(stderr).toContain('A key "Box office" may exist all the same.');
  });

  it('prints the token also if the service does not show the key just now', async () => {
    await using server = await served({ 'GET /v1/me': { status: 500, body: {} } });
    const { code, stdout, stderr } = await inHome(server, [
      ...createKey,
      ...['--may', 'all', '--password-stdin'],
    ]);
    expect([code, stdout]).toEqual([0, 'secret-key\n']);
    expect(stderr).toContain('tidemark token list');
  });

  it('hands out no token of a service that knows no keys, because it would do more', async () => {
    await using server = await served({ 'GET /v1/me': { body: callerWith() } });
    const { code, stdout, stderr } = await inHome(server, [
      ...createKey,
      ...['--may', 'all', '--password-stdin'],
    ]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('knows no keys');
  });

  it('shows nothing that a terminal obeys, whatever the service says', async () => {
    const name = `${hostile}x`;
    await using server = await served({
      'POST /oauth/token': { body: { access_token: hostile, expires_in: 1, scope: hostile } },
      'GET /v1/me': { body: { ...callerWith(), token: { ...key, id: hostile, name: 'Box office' } } },
      'GET /v1/me/tokens': { body: { tokens: [{ ...listed, id: hostile, name }] } },
    });
    const outputs = [
      await inHome(server, [...createKey, '--may', 'all', '--password-stdin']),
      await inHome(server, ['token', 'list']),
      await inHome(server, ['token', 'list', '--json']),
      await inHome(server, ['token', 'end', hostile]),
      await inHome(server, ['token', 'end', name, '--yes']),
    ];
    for (const { stdout, stderr } of outputs) expect(`${stdout}\n${stderr}`).not.toMatch(obeyed);
    expect(outputs.map(({ stdout }) => stdout.includes('VIL'))).toEqual([true, true, true, false, false]);
  });
});
