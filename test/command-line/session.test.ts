import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseService, type Surroundings } from '../../client/cli/session/choose.ts';
import { readJobs, rememberJob, withJob } from '../../client/cli/session/jobs.ts';
import {
  jobsFile,
  noSessions,
  readSessions,
  sessionsFile,
  withSession,
  writePrivate,
} from '../../client/cli/session/store.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const newFolder = newFolders();

const ada = { username: 'ada', token: 't-ada', expires: null, property: 1001 };
const shop = 'https://shop.example.org';
const signedIn = withSession(noSessions, shop, ada, true);
const local = {
  baseUrl: 'http://127.0.0.1:8080',
  clientId: 'demo-client',
  username: 'demo',
  password: 'secret',
  propertyId: 7,
};

describe('the file of sign-ins', () => {
  it('is in the folders of the XDG specification', () => {
    expect(sessionsFile({ HOME: '/home/ada' })).toBe('/home/ada/.config/tidemark/sessions.json');
    expect(sessionsFile({ HOME: '/home/ada', XDG_CONFIG_HOME: '/etc/ada' })).toBe(
      '/etc/ada/tidemark/sessions.json',
    );
    expect(sessionsFile({ HOME: '/home/ada', XDG_CONFIG_HOME: 'relative' })).toBe(
      '/home/ada/.config/tidemark/sessions.json',
    );
    expect(jobsFile({ HOME: '/home/ada' })).toBe('/home/ada/.local/state/tidemark/jobs.json');
  });

  it('can be read by its owner only, even if its temporary file was left behind', async () => {
    const folder = newFolder();
    const file = sessionsFile({ XDG_CONFIG_HOME: folder });
    await writePrivate(file, noSessions);
    await writeFile(`${file}.${process.pid}`, 'left behind', { mode: 0o644 });
    await writePrivate(file, signedIn);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'tidemark'))).mode & 0o777).toBe(0o700);
    expect(await readSessions(file)).toEqual(signedIn);
  });

  it('may be missing, and says so when it is damaged', async () => {
    const folder = newFolder();
    const file = join(folder, 'sessions.json');
    expect(await readSessions(file)).toEqual(noSessions);
    await writeFile(file, '{"current": 1}');
    await expect(readSessions(file)).rejects.toThrow(
      `The file ${file} is damaged; delete it and sign in again.`,
    );
    expect(await readFile(file, 'utf8')).toBe('{"current": 1}');
  });

  it('keeps one sign-in for each service', () => {
    const both = withSession(signedIn, local.baseUrl, { ...ada, username: 'demo' }, false);
    expect([both.current, Object.keys(both.sessions)]).toEqual([shop, [shop, local.baseUrl]]);
    expect(withSession(both, shop, null, true)).toEqual({
      current: null,
      sessions: { [local.baseUrl]: { ...ada, username: 'demo' } },
    });
  });
});

describe('the service of a command', () => {
  const chosen = (surroundings: Partial<Surroundings>) =>
    chooseService({ options: {}, env: {}, sessions: noSessions, ...surroundings });
  const value = (surroundings: Partial<Surroundings>) => {
    const result = chosen(surroundings);
    return result.ok ? result.value : result.error;
  };

  it('is the last sign-in', () => {
    expect(value({ sessions: signedIn })).toEqual({
      baseUrl: shop,
      token: 't-ada',
      username: 'ada',
      propertyId: 1001,
    });
  });

  it('is the service on this machine while it runs, with its own credentials', () => {
    expect(value({ sessions: signedIn, local })).toEqual({
      baseUrl: local.baseUrl,
      credentials: local,
      username: 'demo',
      propertyId: 7,
    });
    const kept = withSession(
      signedIn,
      local.baseUrl,
      { ...ada, username: 'demo', token: 't-demo', property: 8 },
      false,
    );
    expect(value({ sessions: kept, local })).toMatchObject({
      token: 't-demo',
      credentials: local,
      propertyId: 8,
    });
    // Of an earlier start.
    const other = withSession(signedIn, local.baseUrl, { ...ada, token: 't-other' }, false);
    expect(value({ sessions: other, local })).not.toHaveProperty('token');
  });

  it.each(['ada', 'demo'])(
    'is used by who has logged in there as %s, and never with the credentials of its start',
    (username) => {
      const login = { ...ada, username, token: 't-login', expires: '2026-12-29T10:00:00.000Z' };
      const sessions = withSession(signedIn, local.baseUrl, login, false);
      expect(value({ sessions, local })).toEqual({
        ...{ baseUrl: local.baseUrl, token: 't-login', username, propertyId: 1001 },
      });
    },
  );

  it('is used by a sign-in whose service has gone', () => {
    const sessions = withSession(noSessions, local.baseUrl, ada, true);
    expect(value({ sessions })).toMatchObject({ token: 't-ada', username: 'ada' });
  });

  it('is the address of the option, then of the environment, in any spelling', () => {
    const env = { TIDEMARK_BASE_URL: 'https://SHOP.example.org:443/' };
    expect(value({ sessions: signedIn, local, env })).toMatchObject({ baseUrl: shop, token: 't-ada' });
    const options = { baseUrl: local.baseUrl };
    expect(value({ sessions: signedIn, local, env, options })).toMatchObject({ credentials: local });
  });

  it('takes the token and the property of the environment, for scripts', () => {
    const env = { TIDEMARK_BASE_URL: shop, TIDEMARK_TOKEN: 't-ci', TIDEMARK_PROPERTY: '1002' };
    expect(value({ env, sessions: signedIn })).toEqual({ baseUrl: shop, token: 't-ci', propertyId: 1002 });
    expect(value({ env, sessions: signedIn, options: { property: 5 } })).toMatchObject({ propertyId: 5 });
  });

  it('needs a sign-in, an address and the number of a property', () => {
    expect(value({})).toEqual({
      kind: 'sign-in',
      message:
        'Sign in first: tidemark login --base-url https://… ' +
        '(A service on this machine needs no sign-in; start it in its checkout: npm start)',
    });
    expect(value({ options: { baseUrl: shop } })).toEqual({
      kind: 'sign-in',
      message: `Sign in to ${shop} first: tidemark login --base-url ${shop}`,
    });
    expect(value({ options: { baseUrl: 'shop.example.org' } })).toMatchObject({ kind: 'usage' });
    expect(value({ options: { baseUrl: 'file:///etc' } })).toMatchObject({ kind: 'usage' });
    expect(value({ sessions: signedIn, env: { TIDEMARK_PROPERTY: 'Main' } })).toMatchObject({
      kind: 'usage',
    });
  });
});

describe('remembered jobs', () => {
  const job = { baseUrl: shop, property: 1, importId: 2, jobId: 3, batches: ['b-1'] };

  it('come back newest first, each once', async () => {
    const folder = newFolder();
    const file = join(folder, 'state', 'jobs.json');
    await rememberJob(file, { ...job, batches: [] });
    await rememberJob(file, { ...job, jobId: 4, batches: [] });
    await rememberJob(file, job);
    expect((await readJobs(file)).map(({ jobId, batches }) => [jobId, batches])).toEqual([
      [3, job.batches],
      [4, []],
    ]);
  });

  it('are at most 200', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ ...job, jobId: index }));
    const added = withJob(many, { ...job, jobId: 1_000 });
    expect([added.length, added[0]?.jobId, added.at(-1)?.jobId]).toEqual([200, 1_000, 198]);
  });
});
