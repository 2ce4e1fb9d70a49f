import { execFile, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const units = join(import.meta.dirname, 'units');

/** Debian's Python. */
const python = '/usr/bin/python3';

const modules = globSync('test_*.py', { cwd: units }).map((file) => basename(file, '.py'));

const execute = promisify(execFile);

/** Runs the tests of a module, which read the package where it is written, and returns the report. */
const report = async (module: string): Promise<string> => {
  const source = join(import.meta.dirname, '../../client/python');
  const { PATH } = process.env;
  // Neither a proxy of the machine nor another setting of it changes what a test sees.
  const env = { PATH, PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: '1' };
  const args = ['-X', 'dev', '-W', 'error', '-m', 'unittest', module];
  return (await execute(python, args, { cwd: units, env })).stderr;
};

/** On CI a skipped test would hide something, so there the tests run and fail. */
const isPossible = spawnSync(python, ['--version']).status === 0 || Boolean(process.env['CI']);

describe.runIf(isPossible)('the Python package', () => {
  test('has tests', () => {
    expect(modules.length).toBeGreaterThan(5);
  });

  test.each(modules)('%s', async (module) => {
    expect(await report(module)).toMatch(/\nOK\n$/);
  });
});
