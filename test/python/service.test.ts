import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolders } from '../../local/test/support/folders.ts';
import { debianPython, hasPython } from '../support/package-user.ts';
import { startService, type TestService } from '../support/service.ts';

const root = join(import.meta.dirname, '../..');

/** An environment of a user, who has installed the package alone. */
const folder = newFolders()();
const user = join(folder, 'env/bin/python');

const execute = promisify(execFile);

/** Runs a program and returns its output. Rejects with its output when it fails. */
const run = async (command: string, ...args: readonly string[]): Promise<string> => {
  const settings = { PYTHONPATH: '', PYTHONDONTWRITEBYTECODE: '1', no_proxy: '*' };
  const env = { ...process.env, HOME: folder, ...settings };
  return (await execute(command, args, { cwd: folder, env })).stdout;
};

const isPossible = hasPython('ensurepip', 'flit_core', 'mypy');
// The report of the run names no skipped test.
if (!isPossible) process.stderr.write('LEFT OUT: the Python client. It needs python3-venv, flit and mypy.\n');

describe.runIf(isPossible)('the Python package, installed in an empty environment', () => {
  beforeAll(async () => {
    const build = join(root, 'client/python/build.ts');
    const files = await run(process.execPath, build, folder);
    const wheel = files.split('\n').find((name) => name.endsWith('.whl')) ?? '';
    await run(debianPython, '-m', 'venv', join(folder, 'env'));
    await run(user, '-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', wheel);
  }, 120_000);

  test('brings no other package, and its types', async () => {
    const list = await run(
      user,
      '-m',
      'pip',
      'list',
      '--format=freeze',
      '--exclude=pip',
      '--exclude=setuptools',
    );
    const { version } = v.parse(
      v.object({ version: v.string() }),
      JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')),
    );
    expect(list.trim()).toBe(`tidemark-client==${version}`);
    const files = await run(user, '-m', 'pip', 'show', '--files', 'tidemark-client');
    expect(files).toContain('tidemark/py.typed');
    expect(files).toContain('LICENSE');
  });

  describe('its types', () => {
    /** Checks a module, or a file. Rejects with the faults. */
    const check = (version: string, ...args: readonly string[]): Promise<string> => {
      const cache = ['--cache-dir', join(folder, 'mypy'), '--python-executable', user];
      return run(debianPython, '-m', 'mypy', '--strict', ...cache, '--python-version', version, ...args);
    };

    test.each(['3.9', '3.11'])('are sound on Python %s', async (version) => {
      expect(await check(version, '-p', 'tidemark')).toMatch(/^Success/);
    });

    test('fit a program that uses the package', async () => {
      expect(await check('3.9', join(import.meta.dirname, 'calls.py'))).toMatch(/^Success/);
    });

    test('fit every example of the API document', async () => {
      const program = await run(user, join(import.meta.dirname, 'examples.py'), join(root, 'openapi.json'));
      expect(program.match(/^example\d+: /gm)?.length).toBeGreaterThan(80);
      writeFileSync(join(folder, 'examples.py'), program);
      expect(await check('3.9', join(folder, 'examples.py'))).toMatch(/^Success/);
    });
  });

  describe('beside a running service', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService();
    });
    afterAll(() => service[Symbol.asyncDispose]());

    test('signs in, stores, reads, pages, imports, exports, and gets problems', async () => {
      const { base_url, client_id, username, password } = v.parse(accessSchema, service.cloud.endpoints);
      const access = [base_url, client_id, username, password, String(service.property), folder];
      const output = await run(user, join(import.meta.dirname, 'calls.py'), ...access);
      expect(JSON.parse(output)).toEqual({
        stranger: [401, 'unauthorized', []],
        wrong: [400, 'invalid_grant', []],
        properties: [service.property],
        people: 1,
        profile: ['Ada', null],
        tags: ['Jazz'],
        extra_data: { seat: 'A7', visits: 3, member: true, years: [2024, 2025] },
        misspelt: [422, 'invalid', [['/frist_name', 'unknown_field']]],
        segment: 'custom',
        pages: [['One', 'Two'], ['Three']],
        items: ['One', 'Two', 'Three'],
        first: 2,
        progress: true,
        import: ['complete-with-errors', 40],
        refused: ['not_an_email'],
        refused_csv: true,
        rows: 41,
        event: 41,
        missing: [404, 'not_found', []],
        faulty: [422, 'invalid', [['/segment/0', 'unknown_reference']]],
      });
    });

    test('the programs of its README run', async () => {
      const { base_url } = v.parse(accessSchema, service.cloud.endpoints);
      const readme = readFileSync(join(root, 'client/python/README.md'), 'utf8');
      const programs = [...readme.matchAll(/^```py\n(.*?)^```$/gms)].map(([, program = '']) => program);
      const program = programs.join('\n').replace('http://127.0.0.1:8080', base_url);
      expect((await run(user, '-c', program)).split('\n')).toEqual(
        expect.arrayContaining(['Ada', 'complete-with-errors 1', '3 not_an_email', '422 invalid']),
      );
    });
  });
});

const accessSchema = v.object({
  base_url: v.string(),
  client_id: v.string(),
  username: v.string(),
  password: v.string(),
});
