import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { definitions, visitors } from './files-of-users.ts';
import { CTRL_C, type Ended, type Home, inScript, inTerminal, type Terminal } from './run-cli.ts';

let service: TestService;
let home: Home;

beforeAll(async () => {
  service = await startService();
  home = { folder: await mkdtemp(join(tmpdir(), 'tidemark-cli-')) };
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(home.folder, { recursive: true });
});

const cli = (...args: readonly string[]): Promise<Ended> => inScript(home, args);
const terminal = (...args: readonly string[]): Terminal => inTerminal(home, args);
const file = (name: string): string => join(home.folder, name);
const json = <S extends v.GenericSchema>(schema: S, { stdout }: Ended): v.InferOutput<S> =>
  v.parse(schema, JSON.parse(stdout));

/** Sends a request as the demo user, beside the command line. */
const api = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const options = body === undefined ? {} : { body: JSON.stringify(body) };
  const { text } = await service.call(method, `/v1/${service.property}${path}`, options);
  return JSON.parse(text);
};
const imports = async (): Promise<number> =>
  v.parse(v.object({ imports: v.array(v.unknown()) }), await api('GET', '/imports')).imports.length;

describe('before a login', () => {
  it('each command asks for it with one sentence and its own exit code', async () => {
    const { code, stdout, stderr } = await cli('segments');
    expect([code, stdout, stderr]).toEqual([
      3,
      '',
      expect.stringMatching(/^tidemark: Sign in first: tidemark login --base-url .*: npm start\)\n$/),
    ]);
  });

  it('help explains commands, and a wrong word gets a suggestion', async () => {
    const help = await cli('--help');
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain('tidemark import visitors.csv');
    const wrong = await cli('imprt');
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      "tidemark: unknown command 'imprt'\n(Did you mean import?)\n",
    ]);
  });

  it('a terminal asks for user name and password, and never shows the password', async () => {
    const { base_url, client_id = '', username = '', password = '' } = service.cloud.endpoints;
    const login = terminal('login', '--base-url', base_url, '--client-id', client_id);
    await login.shows(/User name: /);
    login.type(`${username}\r`);
    await login.shows(/Password: /);
    login.type(`${password}\r`);
    await login.shows(/property +\d+ Main/);
    expect(await login.ended).toBe(0);
    expect(login.raw()).not.toContain(password);
    expect((await stat(file('tidemark/sessions.json'))).mode & 0o777).toBe(0o600);
  });

  it('a wrong password, and a wrong token in the environment, are no sign-in', async () => {
    const { base_url, client_id = '', username = '' } = service.cloud.endpoints;
    const options = [
      '--base-url',
      base_url,
      '--client-id',
      client_id,
      '--username',
      username,
      '--password-stdin',
    ];
    expect((await inScript(home, ['login', ...options], 'wrong\n')).code).toBe(3);
    const env = { TIDEMARK_TOKEN: 'wrong' };
    const { code, stderr } = await inScript({ ...home, env }, ['status']);
    expect([code, stderr]).toEqual([
      3,
      'tidemark: The service refuses the token in TIDEMARK_TOKEN: it is wrong, has expired or was revoked.\n',
    ]);
  });
});

describe('an import', () => {
  it('needs a terminal for its question, or --yes', async () => {
    await writeFile(file('visitors.csv'), visitors);
    const { code, stderr } = await cli('import', 'visitors.csv');
    expect([code, stderr]).toEqual([
      2,
      'tidemark: Nobody can answer a question here; add --yes or --dry-run.\n',
    ]);
  });

  it('that is declined leaves nothing behind', async () => {
    const run = terminal('import', 'visitors.csv');
    await run.shows(/Import 39 rows\? \[y\/N\]/);
    run.type('n\r');
    expect([await run.ended, await imports()]).toEqual([1, 0]);
    expect(run.plain()).toContain('Nothing was imported.');
  });

  it('is interrupted at its question by Ctrl-C', async () => {
    const run = terminal('import', 'visitors.csv');
    await run.shows(/Import 39 rows\?/);
    run.type(CTRL_C);
    expect(await run.ended).toBe(130);
  });

  it('shows mapping, bars, refused rows and the question, and writes refused rows beside the file', async () => {
    const run = terminal('import', 'visitors.csv');
    await run.shows(/Import 39 rows\? \[y\/N\]/);
    run.type('y\r');
    expect(await run.ended).toBe(1);
    const text = run.plain();
    expect(text).toMatch(/visitors\.csv: .* windows-1252, delimited by semicolon, 5 columns/);
    expect(text).toMatch(/Interessen +tags +Jazz\|Abo/);
    expect(text).toMatch(/Upload {2}[█░]+ {2} *\d+ % {2}.* of 2\.\d KB/);
    expect(text).toMatch(/Dry run {2}[█░]+ {2} *\d+ %/);
    expect(text).toMatch(/39 rows would be stored, 1 refused: 39 new people/);
    expect(text).toContain('the file may be truncated');
    expect(text).toMatch(/E-Mail +email +not an email +1 +9/);
    expect(text).toMatch(/Import {2}[█░]+ {2} *\d+ %/);
    expect(text).toContain('tidemark retry visitors.rejects.csv');
    expect(await readFile(file('visitors.rejects.csv'), 'utf8')).toMatch(
      /^\ufeffKundennr;Vorname;E-Mail;.*\r?\nK-7;Käthe;kaethe\.7 \(at\) example\.org;/,
    );
    expect((await readdir(home.folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('takes corrected rows back as a spreadsheet saves them', async () => {
    const list = await readFile(file('visitors.rejects.csv'), 'utf8');
    await writeFile(
      file('visitors.rejects.csv'),
      Buffer.from(list.slice(1).replace(' (at) ', '@'), 'latin1'),
    );
    const { code, stdout, stderr } = await cli('retry', 'visitors.rejects.csv');
    expect([code, stdout]).toEqual([
      0,
      'The job has 40 stored rows in all.\n1 row stored. Look at them: tidemark segments\n',
    ]);
    expect(stderr).toContain('read as windows-1252');
  });

  it('uses its definition again for the same file, and prints one JSON document', async () => {
    const ended = await cli('import', 'visitors.csv', '--yes', '--json');
    const { job } = json(v.object({ job: v.object({ counts: v.object({ completed: v.number() }) }) }), ended);
    expect([ended.code, job.counts.completed, await imports()]).toEqual([1, 39, 1]);
    expect(ended.stderr).not.toContain('\x1b');
  });

  it('tries a file with another mapping, and stores nothing', async () => {
    const { code, stderr } = await cli(
      'import',
      'visitors.csv',
      '--dry-run',
      '--skip',
      'E-Mail',
      '--map',
      'Vorname=full_name',
    );
    expect([code, await imports()]).toEqual([0, 1]);
    expect(stderr).toMatch(/E-Mail +\(left out\)/);
    expect(stderr).toMatch(/40 rows would be stored, 0 refused/);
  });
});

describe('a job', () => {
  it('goes on after Ctrl-C, and can be watched again', async () => {
    const { id: importId } = v.parse(
      v.object({ id: v.number() }),
      await api('POST', '/imports', {
        name: 'CRM',
        mapping_fields: {
          required_fields: [],
          field_maps: [{ sources: [{ type: 'source_field', name: 'E' }], target_field: 'email' }],
        },
      }),
    );
    const { id } = v.parse(
      v.object({ id: v.number() }),
      await api('POST', `/imports/${importId}/jobs`, { name: 'Monday' }),
    );
    const watch = terminal('watch', String(id));
    await watch.shows(/waiting for batches/);
    watch.type(CTRL_C);
    expect(await watch.ended).toBe(130);
    expect(watch.plain()).toContain(`Job ${id} goes on without you; watch it again: tidemark watch ${id}`);
    await api('POST', '/import-data', {
      name: 'one',
      import_job: id,
      records: [{ email: 'cyd@example.org' }],
    });
    const again = await cli('watch', String(id));
    expect([again.code, again.stdout]).toEqual([0, '1 row stored, 0 refused.\n']);
    const jobs = (await cli('jobs')).stdout;
    expect(jobs).toMatch(new RegExp(`${id} +import +Monday +complete`));
    expect(jobs).toMatch(/\d+ +dry run +visitors\.csv +complete/);
  });
});

describe('people and segments', () => {
  it('are found by their names', async () => {
    const created = await cli('segment', 'create', 'Jazz, no opera', 'Jazz and not tag:Oper', '--json');
    expect([created.code, json(v.object({ count: v.number() }), created).count]).toEqual([0, 20]);
    const twice = await cli('segment', 'create', 'Jazz, no opera', 'Jazz');
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('"Jazz, no opera" already (')]);
    expect((await cli('segment', 'show', 'Jazz, no opera')).stdout).toMatch(
      /definition +Jazz and not Oper\n/,
    );
    expect((await cli('segments', '--tree')).stdout).toMatch(/├ Tags\n│ ├ Abo/);
    const why = await cli('person', 'kaethe.0@example.org', '--why', 'Jazz, no opera');
    expect(why.stdout).toMatch(/^In "Jazz, no opera":\n.*\n.*✓ all of\n.*✓ Jazz {2}because of tags "Jazz"/);
    expect((await cli('person', 'K-3')).stdout).toMatch(/email +kaethe\.3@example\.org\n/);
  });

  it('show the fault of an expression, and names that are similar', async () => {
    const fault = await cli('segment', 'create', 'x', 'Jazz and or Abo');
    expect([fault.code, fault.stderr]).toEqual([
      2,
      'tidemark: A segment is missing after "and".\n  Jazz and or Abo\n           ^^\n',
    ]);
    const unknown = await cli('segment', 'show', 'Nothing like it');
    expect([unknown.code, unknown.stderr.split('\n').length]).toEqual([1, 2]);
  });

  it('are forgotten after a question', async () => {
    const forget = terminal('forget', 'kaethe.5@example.org');
    await forget.shows(/Forget .*kaethe\.5@example\.org.* for good\? \[y\/N\]/);
    forget.type('y\r');
    expect(await forget.ended).toBe(0);
    expect((await cli('person', 'kaethe.5@example.org')).code).toBe(1);
  });
});

describe('an export', () => {
  it('is downloaded to a new file, and to standard output', async () => {
    const args = ['export', 'create', '--segment', 'Jazz', '--columns', 'email,first_name=Vorname'];
    const created = await cli(...args, '--output', 'jazz.csv');
    expect([created.code, created.stdout]).toEqual([0, 'jazz.csv: 610 bytes\n']);
    const content = await readFile(file('jazz.csv'), 'utf8');
    expect(content).toMatch(/^email,Vorname\r\nkaethe\.0@example\.org,Käthe\r\n/);
    expect((await cli('export', 'download', 'Jazz', '--output', '-')).stdout).toBe(content);
    const twice = await cli('export', 'download', 'Jazz', '--output', 'jazz.csv');
    expect([twice.code, twice.stderr]).toMatchObject([2, expect.stringContaining('exists already')]);
  });

  it('to a server is tested, run, shown and replayed', async () => {
    const target = ['--sftp', 'hall@127.0.0.1:9:/in', '--every', 'mon 03:00 Europe/Berlin'];
    const created = await cli('export', 'create', '--segment', 'Abo', '--name', 'Weekly', ...target);
    expect(created.stdout).toMatch(
      /authorized_keys .*:\nssh-ed25519 \S+ .*\nThen test the way: tidemark export test \d+\n/,
    );
    expect((await cli('export', 'list')).stdout).toMatch(
      /Weekly +scheduled +mon 03:00 Europe\/Berlin +sftp hall@127/,
    );
    const tested = await cli('export', 'test', 'weekly');
    expect([tested.code, tested.stdout.split('\n')[0]]).toEqual([1, expect.stringMatching(/^✗ connect: /)]);
    expect((await cli('export', 'run', 'Weekly')).code).toBe(1);
    expect((await cli('export', 'log', 'Weekly')).stdout).toMatch(/sftp +1 .* failed +no SSH server/);
    const replayed = await cli('export', 'replay', 'Weekly');
    expect([replayed.code, replayed.stdout]).toEqual([1, expect.stringMatching(/^✗ sftp retrying/)]);
  });
});

describe('a timeline', () => {
  it('is drawn in the terminal, and as SVG', async () => {
    expect((await cli('timeline', 'create', 'Jazz')).code).toBe(0);
    const chart = await cli('timeline', 'chart', 'tag:Jazz');
    expect(chart.stdout).toMatch(/^Jazz: 20 people\n\d{4}-\d\d-\d\d \d\d:\d\d {2}█+ {2}20\n$/);
    expect((await cli('timeline', 'chart', 'Jazz', '--svg', '-')).stdout).toMatch(/^<svg /);
    const early = await cli('timeline', 'moment', 'jazz');
    expect([early.code, early.stderr.split('\n').length]).toEqual([1, 2]);
  });
});

describe('definitions as code', () => {
  const written = (name: string, expression: string): Promise<void> =>
    writeFile(file('definitions.yaml'), definitions(name, expression));

  it('are planned, applied after a question, and then nothing changes', async () => {
    await written('Guests', 'Jazz and not Presse or Abo');
    expect((await cli('plan', 'definitions.yaml')).stderr).toContain('There is no segment Presse.');
    await written('Guests', 'Jazz and not Oper');
    const plan = await cli('plan', 'definitions.yaml');
    expect(plan.stdout).toBe(
      '+ segment "Guests"\n+ segment "Friends of Guests"\n+ export "Guests daily"\n+ timeline "Opera"\n' +
        '4 changes in 4 definitions.\n',
    );
    const apply = terminal('apply', 'definitions.yaml');
    await apply.shows(/Make 4 changes\? \[y\/N\]/);
    apply.type('y\r');
    expect([await apply.ended, apply.plain()]).toEqual([0, expect.stringContaining('4 changes made.')]);
    expect((await cli('plan', 'definitions.yaml')).stdout).toMatch(/Nothing would change\.\n$/);
  });

  it('change what names a changed segment, and show what changes', async () => {
    await written('Guests', 'Jazz');
    const plan = await cli('plan', 'definitions.yaml');
    expect(plan.stdout).toMatch(
      /^~ segment "Guests"\n {4}definition: .* → \d+\n~ segment "Friends of Guests"\n/,
    );
    const applied = await cli('apply', 'definitions.yaml', '--yes');
    expect([applied.code, applied.stdout]).toEqual([0, '3 changes made.\n']);
    expect((await cli('segment', 'show', 'Friends of Guests')).stdout).toMatch(
      /definition +Guests or Oper\n/,
    );
    expect((await cli('apply', 'definitions.yaml')).stdout).toBe('Everything is as the file says.\n');
  });
});

describe('colours', () => {
  it('are for terminals, and NO_COLOR switches them off', async () => {
    const coloured = terminal('status');
    await coloured.ended;
    expect(coloured.raw()).toContain('\x1b[2m');
    const plain = inTerminal({ ...home, env: { NO_COLOR: '1' } }, ['status']);
    await plain.ended;
    expect(plain.raw()).not.toContain('\x1b[');
    expect((await cli('status')).stdout).not.toContain('\x1b');
  });
});
