import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';

const raw = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const read = (file: string): string => raw(file).replaceAll(/\s+/g, ' ');
const run = v.looseObject({ figures: v.array(v.looseObject({ name: v.string(), value: v.number() })) });
const { writeUnitsPerRow, readUnitsPerRow } = limits.imports;

describe('the cost of a row', () => {
  it('is the measured cost of new people', () => {
    const { full } = v.parse(v.looseObject({ full: run }), JSON.parse(raw('bench/results/import.json')));
    const measured = (name: string) => full.figures.findLast((one) => one.name.endsWith(name))?.value;
    expect(measured(': write units')).toBeCloseTo(writeUnitsPerRow, 1);
    expect(measured(': read units')).toBeCloseTo(readUnitsPerRow, 1);
  });

  it('is the measured cost where an operator plans a big import', () => {
    const units = (10_000 * writeUnitsPerRow).toLocaleString('en-US');
    expect(read('docs/deploying.md')).toContain(
      `a row takes ${writeUnitsPerRow}, so 10,000 rows a second take ${units}`,
    );
  });
});

describe('the costs in the README', () => {
  /** The last cell of each row of a table, by the first cell. */
  const sumsIn = (table: string): ReadonlyMap<string, string> =>
    new Map(
      table.split('\n').flatMap((line) => {
        const cells = line.split('|').map((cell) => cell.trim());
        const [item, sum] = [cells[1], cells.at(-2)];
        return item !== undefined && sum?.startsWith('$') ? [[item, sum] as const] : [];
      }),
    );
  const between = (text: string, begin: string, end: string): string =>
    text.slice(text.indexOf(begin), text.indexOf(end, text.indexOf(begin)));

  it('are those of the page of figures', () => {
    const page = sumsIn(between(raw('docs/performance.md'), '<!-- costs', '<!-- end of costs'));
    const readme = sumsIn(between(raw('README.md'), '## What it costs', '## Working on it'));
    const shown = [...readme].filter(([item]) => page.has(item));
    expect(shown.length).toBeGreaterThanOrEqual(8);
    for (const [item, sum] of shown) expect(sum, item).toBe(page.get(item));
  });
});
