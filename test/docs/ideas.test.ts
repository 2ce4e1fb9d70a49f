/** The list of ideas: each idea has one line with a link, and the table counts them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const text = readFileSync(join(import.meta.dirname, '../../docs/internals/ideas.md'), 'utf8');

/** The ideas below each heading, each with its link on the same or the next line. */
const ideas = new Map(
  text.split('\n## ').map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const items = lines
      .join('\n')
      .split(/\n(?=- )/)
      .filter((item) => item.startsWith('- '));
    return [heading, items] as const;
  }),
);
const countOf = (area: string, when: string): number => ideas.get(`${area}, ${when}`)?.length ?? 0;

it('each idea is one sentence with a link to what explains it', () => {
  const all = [...ideas.values()].flat();
  expect(all.length).toBeGreaterThan(40);
  const unclear = all.filter(
    (item) => !/^- \*\*[^*]+\*\*( \(`w`\))?: [^[]+\s\[[^]+\]\([^)]+\)\s*$/.test(item),
  );
  expect(unclear).toEqual([]);
});

it.each([
  ['an import', 'Imports'],
  ['an export', 'Exports'],
  ['a segment', 'Segments'],
])('the table counts the ideas to change %s', (what, area) => {
  const count = (when: string): number => countOf('Everywhere', when) + countOf(area, when);
  const counts = [count('always'), count('where it is touched')];
  const row = text.split('\n').find((line) => line.startsWith(`| ${what} `)) ?? '';
  expect(row.match(/\d+/g)?.map(Number)).toEqual([...counts, counts.reduce((sum, each) => sum + each)]);
});
