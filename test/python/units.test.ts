import { execFile, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { debianPython, hasPython } from '../support/package-user.ts';

const units = join(import.meta.dirname, 'units');

/** Without `openssl`, the test of HTTPS has no certificate. CI has it. */
const lacks = spawnSync('openssl', ['version']).status === 0 || process.env['CI'] ? [] : ['test_tls.py'];

const modules = globSync('test_*.py', { cwd: units, exclude: lacks }).map((file) => basename(file, '.py'));

const execute = promisify(execFile);

/** Runs the tests of a module, which read the package where it is written, and returns the report. */
const report = async (module: string): Promise<string> => {
  const source = join(import.meta.dirname, '../../client/python');
  const { PATH } = process.env;
  // Neither a proxy of the machine nor another setting of it changes what a test sees.
  const env = { PATH, PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: '1' };
  const args = ['-X', 'dev', '-W', 'error', '-m', 'unittest', module];
  return (await execute(debianPython, args, { cwd: units, env })).stderr;
};

describe.runIf(hasPython())('the Python package', () => {
  test('has tests', () => {
    expect(modules.length).toBeGreaterThan(5);
  });

  test.each(modules)('%s', async (module) => {
    expect(await report(module)).toMatch(/\nOK\n$/);
  });
});
