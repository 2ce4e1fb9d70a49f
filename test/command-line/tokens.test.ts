import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolders } from '../../local/test/support/folders.ts';
import { type Reply, startServer } from '../client/small-server.ts';
import { callerWith } from './caller.ts';
import { inProcess } from './run-cli.ts';
import { bodiesOf, key, listed, piped, served, usersIn } from './token-service.ts';

const newFolder = newFolders();
const { signedIn, inHome } = usersIn(newFolder);

describe('token list and token end', () => {
  it('show the tokens, and end one by its id or the name of a key after a question', async () => {
    await using server = await served();
    const { home } = await signedIn(server.url);
    const { stdout } = await inProcess(home, ['token', 'list']);
    expect(stdout).toMatch(/^Id +Key +May +Reaches +Made +Works until\n/);
    expect(stdout).toMatch(/\n0123abc2 +\(sign-in\) +everything +all properties, also later ones /);
    expect(stdout).toMatch(/\n0123abc1 +Box office +people\.write +only property 7 /);
    const declined = await inProcess(home, ['token', 'end', 'box office'], { answer: 'n' });
    expect(declined.code).toBe(1);
    expect(declined.stderr).toContain('End the key "Box office" (0123abc1)? [y/N]');
    expect(server.received.map(({ method }) => method)).not.toContain('DELETE');
    expect(await inProcess(home, ['token', 'end', '0123abc1', '--yes'])).toEqual({
      code: 0,
      stdout: 'Ended the key "Box office" (0123abc1). It stops working within 30 seconds.\n',
      stderr: '',
    });
    expect(server.received.at(-1)).toMatchObject({ method: 'DELETE', url: '/v1/me/tokens/0123abc1' });
  });

  it('name a sign-in by its time, and a similar name', async () => {
    await using server = await served();
    const { home } = await signedIn(server.url);
    const question = await inProcess(home, ['token', 'end', '0123abc2'], { answer: 'n' });
    expect(question.stderr).toContain('End the sign-in of 2026-11-29 10:00:00 UTC (0123abc2)?');
    const near = await inProcess(home, ['token', 'end', 'Box ofice']);
    expect([near.code, near.stderr]).toEqual([
      1,
      'tidemark: There is no token "Box ofice". Did you mean "Box office"?\n',
    ]);
    const unknown = await inProcess(home, ['token', 'end', 'ffffffff']);
    expect(unknown.stderr).toContain('See the tokens: tidemark token list');
  });

  it('need an id where several keys have a name', async () => {
    const tokens = [listed, { ...listed, id: '0123abc3' }];
    await using server = await served({ 'GET /v1/me/tokens': { body: { tokens } } });
    const { home } = await signedIn(server.url);
    const { code, stderr } = await inProcess(home, ['token', 'end', 'Box office', '--yes']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/take an id[^]*0123abc1[^]*0123abc3/)]);
  });
});

describe('a login with a scope', () => {
  it('asks for it, and keeps the client id for the next key', async () => {
    await using server = await served({
      'GET /v1/me': { body: callerWith({ permissions: ['people.write'] }) },
    });
    const home = { folder: newFolder() };
    const { code, stdout } = await inProcess(
      home,
      [
        ...['login', '--base-url', server.url, '--client-id', 'hall', '--username', 'ada'],
        ...['--scope', 'people.write definitions.read', '--password-stdin'],
      ],
      piped,
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\nrole +owner\nmay +people\.write\n/)]);
    expect(bodiesOf(server, '/oauth/token')).toMatchObject([{ scope: 'people.write definitions.read' }]);
    expect(await readFile(join(home.folder, 'tidemark/sessions.json'), 'utf8')).toContain('"hall"');
  });

  it('refuses an unknown permission before it asks', async () => {
    const { code, stderr } = await inProcess({ folder: newFolder() }, ['login', '--scope', 'people.raed']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean people.read?')]);
  });
});

describe('the status', () => {
  it('shows role and permissions only if the token may not do everything', async () => {
    const show = async (body: unknown): Promise<string> => {
      await using server = await served({ 'GET /v1/me': { body } });
      return (await inHome(server, ['status'])).stdout;
    };
    const owner = await show(callerWith());
    expect(owner).not.toMatch(/^(?:role|may|reaches|key) /m);
    expect(owner).toMatch(/^signed in until +2026-12-22/m);
    const viewer = await show(callerWith({ role: 'viewer', permissions: ['definitions.read'] }));
    expect(viewer).toMatch(/^role +viewer\nmay +definitions\.read\n/m);
    const asKey = await show(callerWith({ permissions: ['people.write'], token: key }));
    expect(asKey).toMatch(/^reaches +only property 7\n/m);
    expect(asKey).toMatch(/^key +Box office \(0123abc1\)\nworks until +2027-11-29/m);
  });
});

describe('a call without its permission', () => {
  it('says what is missing', async () => {
    const detail = 'The token may not do this: it needs the permission people.read.';
    await using server = await startServer(() => ({ status: 403, body: { code: 'not_permitted', detail } }));
    expect(await inHome(server, ['person', 'ada@example.org'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `tidemark: ${detail}\n  See what the token may do: tidemark status\n`,
    });
  });

  it('does not take a file that the token may not open for one that is gone', async () => {
    const job = { id: '9', status: 'complete', location: null, file_name: 'a.csv' };
    const me = callerWith({ permissions: ['definitions.read'] });
    await using server = await startServer(({ url }) => {
      if (url === '/v1/me') return { body: me };
      if (url.includes('/jobs/')) return { body: job };
      return { body: url.includes('/jobs') ? { jobs: [job], paging: { next_page: null } } : { id: '5' } };
    });
    const { code, stderr } = await inHome(server, ['export', 'download', '1001000000001']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('it needs the permission exports.write')]);
  });
});

describe('a logout', () => {
  it('ends the token at the service, and forgets it', async () => {
    await using server = await served();
    const { home, sessions } = await signedIn(server.url);
    expect(await inProcess(home, ['logout'])).toEqual({
      code: 0,
      stdout: `Signed out of ${server.url}. The token stops working within 30 seconds.\n`,
      stderr: '',
    });
    expect(bodiesOf(server, '/oauth/revoke')).toEqual([{ token: 't-ada' }]);
    expect(await sessions()).not.toContain('t-ada');
    expect((await inProcess(home, ['logout'])).code).toBe(3);
    expect((await inProcess(home, ['logout', '--base-url', server.url])).code).toBe(3);
  });

  it.each<[string, Reply, string]>([
    ['does not answer', 'break', 'The service does not answer: POST /oauth/revoke got no answer'],
    ['fails', { status: 500, body: { error_description: 'It broke.' } }, 'It broke.'],
    ['is another one', { status: 404, body: {} }, 'No Tidemark answers at '],
  ])(
    'from a service that %s forgets the sign-in, and says that the token works',
    async (_, reply, reason) => {
      await using server = await served({ 'POST /oauth/revoke': reply });
      const { home, sessions } = await signedIn(server.url);
      const { code, stdout } = await inProcess(home, ['logout', '--json']);
      expect([code, JSON.parse(stdout)]).toEqual([
        1,
        { base_url: server.url, signed_in: false, token_ended: false },
      ]);
      expect(await sessions()).not.toContain('t-ada');
      const again = await inProcess((await signedIn(server.url)).home, ['logout']);
      expect(again.stdout).toContain('is forgotten on this machine, but its token was not ended.');
      expect(again.stdout).toContain(reason);
    },
  );
});
