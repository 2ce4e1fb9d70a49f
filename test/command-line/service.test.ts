import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { exportsOfChanges } from './change-scenes.ts';
import { definitionsAsCode } from './definition-scenes.ts';
import { segmentsByCondition } from './condition-scenes.ts';
import { doubtfulExports } from './export-doubts.ts';
import { exportsAndTimelines } from './export-scenes.ts';
import { visitors } from './files-of-users.ts';
import { mappedImports } from './import-scenes.ts';
import { keysForPrograms } from './key-scenes.ts';
import { peopleAndSegments } from './people-scenes.ts';
import { correctedLists } from './retry-scenes.ts';
import { CTRL_C, inProcess, inScript, inTerminal } from './run-cli.ts';
import { json, newUser } from './user.ts';
import { fieldMap } from '../support/field-map.ts';

const user = await newUser();

const imports = async (): Promise<number> =>
  v.parse(v.object({ imports: v.array(v.unknown()) }), await user.api('GET', '/imports')).imports.length;

describe('before a login', () => {
  it('each command asks for it with one sentence and its own exit code', async () => {
    const { code, stdout, stderr } = await inScript(user.home, ['segments']);
    expect([code, stdout, stderr]).toEqual([
      3,
      '',
      expect.stringMatching(/^tidemark: Sign in first: tidemark login --base-url .*: npm start\)\n$/),
    ]);
  });

  it('help explains commands, and a wrong word gets a suggestion', async () => {
    const help = await user.cli('--help');
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain('tidemark import visitors.csv');
    const wrong = await user.cli('imprt');
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      "tidemark: unknown command 'imprt'\n(Did you mean import?)\n",
    ]);
  });

  it('a terminal asks for user name and password, and never shows the password', async () => {
    const { base_url, client_id = '', username = '', password = '' } = user.service.cloud.endpoints;
    const login = user.terminal('login', '--base-url', base_url, '--client-id', client_id);
    await login.shows(/User name: /);
    login.type(`${username}\r`);
    await login.shows(/Password: /);
    login.type(`${password}\r`);
    await login.shows(/property +\d+ Main/);
    expect(await login.ended).toBe(0);
    expect(login.raw()).not.toContain(password);
    expect((await stat(user.file('tidemark/sessions.json'))).mode & 0o777).toBe(0o600);
  });

  it('a wrong password, and a wrong token in the environment, are no sign-in', async () => {
    const { base_url, client_id = '', username = '' } = user.service.cloud.endpoints;
    const options = [
      '--base-url',
      base_url,
      '--client-id',
      client_id,
      '--username',
      username,
      '--password-stdin',
    ];
    expect((await inProcess(user.home, ['login', ...options], { input: 'wrong\n' })).code).toBe(3);
    const env = { TIDEMARK_TOKEN: 'wrong' };
    const { code, stderr } = await inScript({ ...user.home, env }, ['status']);
    expect([code, stderr]).toEqual([
      3,
      'tidemark: The service refuses the token in TIDEMARK_TOKEN: it is wrong, has expired or was revoked.\n',
    ]);
  });
});

describe('an import', () => {
  it('needs a terminal for its question, or --yes', async () => {
    await writeFile(user.file('visitors.csv'), visitors);
    const { code, stderr } = await user.cli('import', 'visitors.csv');
    expect([code, stderr]).toEqual([
      2,
      'tidemark: Nobody can answer a question here; add --yes or --dry-run.\n',
    ]);
  });

  it('that is declined leaves nothing behind', async () => {
    const run = user.terminal('import', 'visitors.csv');
    await run.shows(/Import 39 rows\? \[y\/N\]/);
    run.type('n\r');
    expect([await run.ended, await imports()]).toEqual([1, 0]);
    expect(run.plain()).toContain('Nothing was imported.');
  });

  it('is interrupted at its question by Ctrl-C', async () => {
    const run = user.terminal('import', 'visitors.csv');
    await run.shows(/Import 39 rows\?/);
    run.type(CTRL_C);
    expect(await run.ended).toBe(130);
  });

  it('shows mapping, bars, refused rows and the question, and writes refused rows beside the file', async () => {
    const run = user.terminal('import', 'visitors.csv');
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
    expect(text).toMatch(/E-Mail +email +Is not an e-mail address: it has no/);
    expect(text).toMatch(/Import {2}[█░]+ {2} *\d+ %/);
    expect(text).toContain('tidemark retry visitors.rejects.csv');
    expect(await readFile(user.file('visitors.rejects.csv'), 'utf8')).toMatch(
      /^\ufeffKundennr;Vorname;E-Mail;.*\r?\nK-7;Käthe;kaethe\.7 \(at\) example\.org;/,
    );
    expect((await readdir(user.home.folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('has segments whose names are met nearly', async () => {
    const { code, stderr } = await user.cli('segment', 'show', 'jaz');
    expect([code, stderr]).toEqual([1, 'tidemark: There is no segment jaz. Near: Jazz (20 people)\n']);
  });

  it('is counted in the list of segments when the command ends', async () => {
    const { stdout } = await user.cli('segments');
    expect(stdout).toMatch(/^ +39 +everyone +everyone/m);
  });

  it('takes corrected rows back as a spreadsheet saves them, under any name', async () => {
    const list = await readFile(user.file('visitors.rejects.csv'), 'utf8');
    const corrected = list.slice(1).replace(' (at) ', '@').replaceAll(';', '\t');
    await writeFile(user.file('by hand.txt'), Buffer.from(corrected, 'latin1'));
    const elsewhere = { ...user.home, env: { XDG_STATE_HOME: user.file('elsewhere') } };
    expect(await inProcess(elsewhere, ['retry', 'by hand.txt'])).toMatchObject({
      code: 2,
      stderr:
        'by hand.txt is read as windows-1252.\n' +
        'tidemark: This machine does not know the job of these rows. Find its id, and name it:\n' +
        "  tidemark jobs\n  tidemark retry 'by hand.txt' --job <id>\n",
    });
    const { code, stdout, stderr } = await user.cli('retry', 'by hand.txt');
    expect([code, stdout]).toEqual([
      0,
      'The job has 40 stored rows in all.\n1 row stored. Look at them: tidemark segments\n',
    ]);
    expect(stderr).toContain('read as windows-1252');
    const again = await user.cli('retry', 'by hand.txt');
    expect([again.code, again.stdout]).toEqual([
      0,
      'by hand.txt was sent already, and all 40 rows of the job are stored.\n',
    ]);
  });

  it('uses its definition again for the same file, and prints one JSON document', async () => {
    const ended = await user.cli('import', 'visitors.csv', '--yes', '--json');
    const { job } = json(v.object({ job: v.object({ counts: v.object({ completed: v.number() }) }) }), ended);
    expect([ended.code, job.counts.completed, await imports()]).toEqual([1, 39, 1]);
    expect(ended.stderr).not.toContain('\x1b');
  });

  it('tries a file with another mapping, and stores nothing', async () => {
    const { code, stderr } = await user.cli(
      'import',
      'visitors.csv',
      '--dry-run',
      '--skip',
      'E-Mail',
      '--map',
      'Vorname=full_name',
    );
    expect([code, await imports()]).toEqual([0, 1]);
    expect(stderr).toContain('1 column is left out: "E-Mail". Your choice.');
    expect(stderr).toMatch(/40 rows would be stored, 0 refused/);
  });
});

describe('a job', () => {
  it('goes on after Ctrl-C, and can be watched again', async () => {
    const { id: importId } = v.parse(
      v.object({ id: v.number() }),
      await user.api('POST', '/imports', {
        name: 'CRM',
        mapping_fields: {
          required_fields: [],
          field_maps: [fieldMap('email', 'E')],
        },
      }),
    );
    const { id } = v.parse(
      v.object({ id: v.number() }),
      await user.api('POST', `/imports/${importId}/jobs`, { name: 'Monday' }),
    );
    const watch = user.terminal('watch', String(id));
    await watch.shows(/waiting for batches/);
    watch.type(CTRL_C);
    expect(await watch.ended).toBe(130);
    expect(watch.plain()).toContain(`Job ${id} goes on without you; watch it again: tidemark watch ${id}`);
    await user.api('POST', '/import-data', {
      name: 'one',
      import_job: id,
      records: [{ email: 'cyd@example.org' }],
    });
    const again = await user.cli('watch', String(id));
    expect([again.code, again.stdout]).toEqual([0, '1 row stored, 0 refused.\n']);
    const jobs = (await user.cli('jobs')).stdout;
    expect(jobs).toMatch(new RegExp(`${id} +import +Monday +complete`));
    expect(jobs).toMatch(/ dry run +visitors\.csv +complete/);
  });
});

peopleAndSegments(user);
const preparedCondition = segmentsByCondition(user);
mappedImports(user);
correctedLists(user);
exportsAndTimelines(user);
exportsOfChanges(user);
doubtfulExports(user);
definitionsAsCode(user);
keysForPrograms(user);
preparedCondition();

describe('colours', () => {
  it('are for terminals, and NO_COLOR switches them off', async () => {
    const coloured = user.terminal('status');
    await coloured.ended;
    expect(coloured.raw()).toContain('\x1b[2m');
    const plain = inTerminal({ ...user.home, env: { NO_COLOR: '1' } }, ['status']);
    await plain.ended;
    expect(plain.raw()).not.toContain('\x1b[');
    expect((await user.cli('status')).stdout).not.toContain('\x1b');
  });
});

describe('a logout', () => {
  it('ends the token, and forgets the sign-in', async () => {
    const { base_url } = user.service.cloud.endpoints;
    const me = v.object({ token: v.object({ id: v.string() }) });
    const { id } = json(me, await user.cli('status', '--json')).token;
    const tokens = async () => (await user.service.call('GET', '/v1/me/tokens')).text;
    expect(await tokens()).toContain(id);
    const { code, stdout } = await user.cli('logout');
    expect([code, stdout]).toEqual([0, expect.stringMatching(`^Signed out of ${base_url}\\.`)]);
    expect(await tokens()).not.toContain(id);
    expect(await readFile(user.file('tidemark/sessions.json'), 'utf8')).not.toContain(base_url);
    for (const command of ['status', 'logout']) expect((await user.cli(command)).code).toBe(3);
  });
});
