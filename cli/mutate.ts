/**
 * `npm run mutate -- <path of shared/> …`: changes the rules one by one and counts the changes that the tests of their area
 * notice, for example `npm run mutate -- schedules imports/csv`. The report is in `.build/mutation/`.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';

/** The files of a folder or a file of `shared/`, as Stryker takes them. */
const patternOf = (path: string): string => {
  const target = `shared/${path.replace(/^shared\/|\/$/g, '')}`;
  if (!existsSync(join(ROOT, target))) throw new Error(`There is no ${target}.`);
  return target.endsWith('.ts') ? target : `${target}/**/*.ts`;
};

/** The folder of tests of an area. */
const testsOf = (path: string): string => {
  const tests = `test/${path.replace(/^shared\//, '').split('/')[0] ?? ''}`;
  if (!existsSync(join(ROOT, tests))) throw new Error(`There is no ${tests}.`);
  return tests;
};

const main = (paths: readonly string[]): Promise<number> => {
  if (paths.length === 0) throw new Error('Say what to mutate, for example: npm run mutate -- schedules');
  const patterns = paths.map(patternOf).join(',');
  const tests = [...new Set(paths.map(testsOf))].join(',');
  const child = spawn(process.execPath, [STRYKER, 'run', '--mutate', patterns], {
    cwd: ROOT,
    env: { ...process.env, MUTATED_TESTS: tests },
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
