import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const bench = (...args: string[]) =>
  run(process.execPath, ['cli/launch.mjs', 'bench/run.ts', ...args], { cwd: root });

it('the page of performance and its pictures agree with the stored results', async () => {
  await bench('--check');
});

it('every stored result belongs to a scenario', async () => {
  const { stdout } = await bench('--help');
  const names = /scenarios: (.*)/.exec(stdout)?.[1]?.split(', ') ?? [];
  const stored = readdirSync(join(root, 'bench/results')).map((file) => file.replace('.json', ''));
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.filter((name) => !names.includes(name))).toEqual([]);
});
