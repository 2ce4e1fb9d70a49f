import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namingOptions } from '../../client/cli/faults.ts';
import { TidemarkProblem } from '../../client/src/index.ts';
import { type Received, startServer } from '../client/small-server.ts';
import { newFolders } from '../../local/test/support/folders.ts';
import { callerWith } from './caller.ts';
import { inMemory, inProcess } from './run-cli.ts';

const newFolder = newFolders();

describe('help', () => {
  it('explains a command of a group', async () => {
    const { code, stdout } = await inMemory(['help', 'segment', 'create']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: tidemark segment create /)]);
    expect((await inMemory(['help'])).stdout).toMatch(/^Usage: tidemark \[options\]/);
    expect((await inMemory(['help', 'me'])).stdout).toMatch(/^Usage: tidemark status/);
  });

  it('shows no empty default, and a segment is required', async () => {
    expect((await inMemory(['help', 'import'])).stdout).not.toContain('default: []');
    const { code, stderr } = await inMemory(['export', 'create']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("'--segment <segment>' not specified")]);
  });

  it('knows no other words, and an error of each command begins alike', async () => {
    expect((await inMemory(['import'])).stderr).toBe("tidemark: missing required argument 'file'\n");
    expect(await inMemory(['help', 'segment', 'make'])).toEqual({
      code: 2,
      stdout: '',
      stderr: "tidemark: unknown command 'make'\n",
    });
  });
});

describe('a message', () => {
  it.each([
    [['no\x1b[31mpe'], "tidemark: unknown command 'no�[31mpe'\n"],
    [['import', 'no\x1b[31mpe.csv', '--yes'], /^tidemark: There is no file .*no�\[31mpe\.csv\.\n$/],
    [['segment', 'create', 'x', 'Jazz and \x1b]0;x\x07('], /^tidemark: [^\x1b]*$/],
  ])('about %j has nothing that a terminal obeys', async (args, message) => {
    const { stderr } = await inMemory(args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('\x1b');
  });
});

describe('a fault that the service found', () => {
  const problem = new TidemarkProblem(
    { method: 'POST', path: '/exports' },
    {
      status: 422,
      code: 'invalid',
      detail: 'The export is invalid.',
      errors: [
        { pointer: '/a/1', code: 'x', detail: 'It is unknown.' },
        { pointer: '/b', code: 'x', detail: 'It is long.' },
      ],
      requestId: undefined,
      retryAfter: undefined,
    },
  );

  it('has the option of its place', async () => {
    const optionAt = (pointer: string) => (pointer === '/a/1' ? '--a "x"' : undefined);
    await expect(namingOptions(optionAt, Promise.reject(problem))).rejects.toMatchObject({
      message: 'The export is invalid.',
      details: ['--a "x": It is unknown.', '/b: It is long.'],
      exitCode: 1,
    });
    await expect(namingOptions(() => undefined, Promise.reject(problem))).rejects.toBe(problem);
  });
});

describe('a refusal of a whole request', () => {
  const refused = async (detail: string, ...users: readonly string[]): Promise<string> => {
    const errors = users.map((user) => ({ pointer: '', code: 'in_use', detail: `Is in use by ${user}.` }));
    await using server = await startServer(() => ({ status: 409, body: { code: 'in_use', detail, errors } }));
    const env = { TIDEMARK_TOKEN: 't', TIDEMARK_PROPERTY: '7' };
    return (
      await inMemory(
        ['segment', 'delete', '1001000000001', '--yes', '--base-url', server.url],
        undefined,
        env,
      )
    ).stderr;
  };

  it('is said once, and names what its sentence does not', async () => {
    expect(await refused('Is in use by a. Change it first.', 'a')).toBe(
      'tidemark: Is in use by a. Change it first.\n',
    );
    expect(await refused('Is in use by a and 1 more; see errors.', 'a', 'b')).toBe(
      'tidemark: Is in use by a and 1 more; see errors.\n  Is in use by a.\n  Is in use by b.\n',
    );
  });
});

describe('a sign-in', () => {
  const token = { TIDEMARK_TOKEN: 't' };

  it('names the variable of a refused token', async () => {
    await using server = await startServer(() => ({
      status: 401,
      body: { code: 'unauthorized', detail: 'No.' },
    }));
    const { code, stderr } = await inMemory(['status', '--base-url', server.url], undefined, token);
    expect([code, stderr]).toEqual([
      3,
      'tidemark: The service refuses the token in TIDEMARK_TOKEN: it is wrong, has expired or was revoked.\n',
    ]);
  });

  it('refuses a property that the account does not have', async () => {
    const caller = callerWith({ properties: [{ id: 7, name: 'Main', search_names: false }] });
    await using server = await startServer(() => ({ status: 200, body: caller }));
    const status = ['status', '--base-url', server.url, '--property'];
    expect(await inMemory([...status, '999'], undefined, token)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tidemark: Your token reaches no property 999; it reaches 7.\n',
    });
    expect((await inMemory([...status, '7'], undefined, token)).stdout).toMatch(/property +7 Main/);
  });

  it.each([
    [404, { message: 'Not Found' }],
    [404, { error: 'Not Found' }],
    [400, 'no'],
    [200, 'welcome'],
  ])('says that another service answers: %d %j', async (status, body) => {
    await using server = await startServer(() => ({ status: status, body: body }));
    const login = ['login', '--client-id', 'c', '--username', 'ada', '--password-stdin'];
    const { code, stderr } = await inMemory([...login, '--base-url', server.url]);
    expect([code, stderr]).toEqual([1, `tidemark: No Tidemark answers at ${server.url}.\n`]);
  });
});

describe('a list of jobs', () => {
  it('that is watched is shown again, until no job is running', async () => {
    const job = { id: 1001000000003, name: 'visitors.csv', dry_run: false, url: 'http://127.0.0.1' };
    const created = '2026-11-23T09:00:00.000Z';
    const running = {
      ...job,
      created,
      started: created,
      finished: null,
      status: 'processing',
      phase: 'importing',
    };
    const ended = { ...running, finished: '2026-11-23T09:00:04.000Z', status: 'complete', phase: 'complete' };
    const paging = { next_page: null };
    let looks = 0;
    const answerTo = ({ url }: Received) => {
      const { pathname: path } = new URL(url, 'http://localhost');
      if (path.endsWith('/exports')) return { status: 200, body: { exports: [], paging } };
      looks += 1;
      return { status: 200, body: { jobs: [looks < 2 ? running : ended], paging } };
    };
    await using server = await startServer(answerTo);
    const env = { TIDEMARK_BASE_URL: server.url, TIDEMARK_TOKEN: 't', TIDEMARK_PROPERTY: '7' };
    const { code, stdout } = await inProcess({ folder: tmpdir(), env }, ['jobs', '--watch'], {
      answer: '',
    });
    const states = [...stdout.matchAll(/visitors\.csv +(\w+)/g)].map(([, state]) => state);
    expect([code, looks, states]).toEqual([0, 2, ['importing', 'complete']]);
    // The first table has two lines, which the second replaces.
    expect(stdout.split('\x1b[2A\x1b[0J')).toHaveLength(2);
  });
});

describe('a command', () => {
  it('names a file name and an option with control characters', async () => {
    const folder = newFolder();
    await writeFile(join(folder, 'a\tb.csv'), 'email\n');
    expect(await inMemory(['import', 'a\tb.csv', '--yes'], folder)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tidemark: The name of the file has control characters; rename it: a⇥b.csv\n',
    });
    const { stderr } = await inMemory(['import', 'a.csv', '--name', 'a\tb'], folder);
    expect(stderr).toContain("'--name <name>' argument 'a⇥b' is invalid. It has control characters.");
  });

  it.each([
    ['', 'It is empty.'],
    ['a\tb', 'It has control characters.'],
  ])('refuses the identity %j, and names the argument', async (identity, message) => {
    for (const command of ['person', 'forget']) {
      const { code, stderr } = await inMemory([command, identity]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`for argument 'identity'. ${message}`)]);
    }
  });

  it('refuses a folder, an empty file and bad characters where it reads a file, before it calls the service', async () => {
    const folder = newFolder();
    await mkdir(join(folder, 'list.csv'));
    await writeFile(join(folder, 'empty'), '');
    await writeFile(join(folder, 'visitors.csv'), 'email\n');
    await writeFile(join(folder, 'unclean.csv'), 'email\r\na\tb\r\n\x1b\r\n');
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [['import', 'list.csv', '--yes'], 'list.csv is a folder, not a file.'],
      [['retry', 'list.csv'], 'list.csv is a folder, not a file.'],
      [['retry', 'unclean.csv'], 'remove them, or their rows.\n  line 3\n'],
      [['plan', 'list.csv'], 'list.csv is a folder, not a file.'],
      [['export', 'create', '--segment', 'Jazz', '--columns', 'all', '--pgp', 'empty'], 'empty is empty.'],
      [['export', 'create', '--segment', 'Jazz', '--pgp', 'empty'], 'Write --columns email,first_name'],
      [
        ['export', 'create', '--segment', 'Jazz', '--changes', 'https://a'],
        'Write --columns email,first_name',
      ],
      [
        ['export', 'create', '--segment', 'Jazz', '--changes', 'https://a', '--pgp', 'k'],
        '--pgp is about a file',
      ],
      [
        ['export', 'create', '--segment', 'Jazz', '--changes', 'https://a', '--format', 'csv'],
        'leave --format out',
      ],
      [['export', 'create', '--segment', 'Jazz', '--first', 'all'], '--first needs --changes.'],
      [['export', 'create', '--segment', 'Jazz', '--output', 'list.csv'], 'exists already'],
      [['export', 'create', '--segment', 'Jazz', '--output', 'no/jazz.csv'], 'There is no folder'],
      [['export', 'run', 'Jazz', '--output', 'empty'], 'exists already'],
      [['import', 'visitors.csv', '--save-mapping', 'empty'], 'exists already'],
      [['timeline', 'chart', 'Jazz', '--svg', 'empty'], 'exists already'],
    ];
    for (const [args, message] of refusals) {
      const { code, stderr } = await inMemory(args, folder);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});
