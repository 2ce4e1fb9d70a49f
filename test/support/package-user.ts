/** Package user: builds the npm package `tidemark`, and installs it where a user would. */
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './source-copy.ts';

const execute = promisify(execFile);

/** Runs a program in a folder and returns its output. Rejects with its output when it fails. */
export const run = async (command: string, args: readonly string[], cwd: string): Promise<string> =>
  (await execute(command, args, { cwd })).stdout;

/** Runs npm in a folder as a user to whom nothing is known: no settings, no cache, no network. Returns what it printed. */
export const npm = async (args: readonly string[], cwd: string, home: string): Promise<string> => {
  const settings = ['--offline', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=warn'];
  const env = { PATH: process.env['PATH'], HOME: home };
  const { stdout, stderr } = await execute('npm', [...args, ...settings], { cwd, env });
  return `${stdout}${stderr}`;
};

/** Builds the package in one folder, and installs it in another, both empty. */
export const installPackage = async (built: string, folder: string): Promise<void> => {
  const archive = (await run(process.execPath, ['client/build.ts', built], root)).trim();
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
  await npm(['install', archive], folder, built);
};

/** Debian's Python. */
export const debianPython = '/usr/bin/python3';

/** Whether Debian's Python has these modules. CI has all; there a skipped test would hide something, so that it fails. */
export const hasPython = (...modules: readonly string[]): boolean =>
  spawnSync(debianPython, ['-c', ['import sys', ...modules].join('\nimport ')]).status === 0 ||
  Boolean(process.env['CI']);

/** What mypy says in an empty folder about programs that use the Python package; nothing when their types are sound. */
export const checkedByMypy = (folder: string, programs: ReadonlyMap<string, string>): string => {
  for (const [name, text] of programs) writeFileSync(join(folder, name), text);
  const options = [
    '--strict',
    '--no-error-summary',
    '--cache-dir',
    join(folder, 'cache'),
    ...programs.keys(),
  ];
  const env = { ...process.env, MYPYPATH: join(root, 'client/python') };
  const { stdout, stderr } = spawnSync(debianPython, ['-m', 'mypy', ...options], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`;
};
