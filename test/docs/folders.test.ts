/** The README of each folder of `shared/`: what it is for, one call that compiles, where it is tested, its storey. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examplesIn, faultsIn, programOf } from '../support/type-check.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const folders = readdirSync(join(root, 'shared'));

/** Lines of a README that is still read. */
const MOST_LINES = 25;

/** The storeys, top storey first, as `npm run check` enforces them. */
const storeys = ((): readonly (readonly string[])[] => {
  const [, list = ''] = /const storeys = \[\n(.*?)\n\];/s.exec(read('.dependency-cruiser.mjs')) ?? [];
  return list.split('\n').map((line) => [...line.matchAll(/'(\w+)'/g)].map(([, name = '']) => name));
})();

const listed = (names: readonly string[]): string =>
  names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');

/** The sentence of a README about the place of its folder. */
const storeyOf = (folder: string): string => {
  const level = storeys.findIndex((storey) => storey.includes(folder));
  const neighbours = {
    above: storeys[level + 1] ?? [],
    below: storeys[level - 1] ?? [],
    beside: (storeys[level] ?? []).filter((name) => name !== folder),
  };
  const parts = Object.entries(neighbours).filter(([, names]) => names.length > 0);
  return `Storey: ${parts.map(([where, names]) => `${where} ${listed(names)}`).join(', ')}.`;
};

const readmeOf = (folder: string): string => read(`shared/${folder}/README.md`);

/** The examples by the files that they would be, so that they import as a file of their folder does. */
const examples = new Map(
  folders.flatMap((folder) =>
    examplesIn(readmeOf(folder)).map(
      (code, index) => [`shared/${folder}/example-${index + 1}.ts`, code] as const,
    ),
  ),
);

describe.each(folders)('shared/%s/README.md', (folder) => {
  const text = readmeOf(folder);

  it('says what the folder is for, what is not here, and where it is tested', () => {
    expect(text).toMatch(/^# `shared\/(\w+)\/`\n\n\S[^]*?\n\nNot here: [^]*\nTested in /);
    expect(text).toContain(`# \`shared/${folder}/\``);
  });

  it('names the neighbours of its storey', () => {
    expect(text.replaceAll(/\s+/g, ' ')).toContain(storeyOf(folder));
  });

  it('has one example, of what the folder exports, and is short', () => {
    const [code = '', ...others] = examplesIn(text);
    expect(others).toEqual([]);
    expect(code).toMatch(/ from '\.\/[\w/-]+\.ts'/);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  });
});

it('the examples of the folders compile', () => {
  expect(faultsIn(programOf(examples), examples.keys())).toEqual([]);
});
