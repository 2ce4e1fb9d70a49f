import { execFile } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const run = promisify(execFile);
const bench = (...args: string[]) =>
  run(process.execPath, ['cli/launch.mjs', 'bench/run.ts', ...args], { cwd: root });

it('the pages of performance and their pictures agree with the stored results', async () => {
  await bench('--check');
});

it.each(['bench/results', 'docs/performance'])('every file in %s belongs to a scenario', async (folder) => {
  const { stdout } = await bench('--help');
  const names = /scenarios: (.*)/.exec(stdout)?.[1]?.split(', ') ?? [];
  const stored = readdirSync(join(root, folder)).map((file) => file.replace(/\.\w+$/, ''));
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.filter((name) => !names.includes(name))).toEqual([]);
});

/** Figures with a unit that link to the page of a scenario, such as `[2.1 to 3 rows/s](performance/import.md)`. */
const linkedFigures = globSync('docs/*.md', { cwd: root }).flatMap((file) =>
  [...read(file).matchAll(/\[([^[\]]+)\]\(performance\/([\w-]+)\.md\)/g)].flatMap(
    ([, text = '', scenario = '']) => {
      const words = text.split(/\s+/);
      return words
        .filter((word) => /^\d/.test(word))
        .map((value) => ({ file, value, unit: words.at(-1) ?? '', scenario }));
    },
  ),
);

it('a figure that links to the page of a scenario is on that page', () => {
  expect(linkedFigures.length).toBeGreaterThan(10);
  const missing = linkedFigures.filter(({ value, unit, scenario }) => {
    const rows = read(`docs/performance/${scenario}.md`)
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    // A ratio is followed by the spread of its pairs.
    const shows = (cell: string): boolean => cell === value || cell.startsWith(`${value} (`);
    return !rows.some((cells) => cells.some(shows) && cells.at(-2)?.startsWith(unit));
  });
  expect(missing).toEqual([]);
});

it('the page of performance is one that a person reads', () => {
  const words = read('docs/performance.md')
    .split(/\s+/)
    .filter((word) => /\w/.test(word));
  expect(words.length).toBeLessThanOrEqual(2_500);
});
