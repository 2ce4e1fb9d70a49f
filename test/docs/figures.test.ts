import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { scenarioNames } from '../../bench/scenarios.ts';
import { readResult } from '../../bench/support/results.ts';
import { dollars, sumOf, useCosts } from '../../bench/support/use-costs.ts';
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
  const results = scenarioNames.flatMap((name) => readResult(name) ?? []);

  it('are those of the page of figures', () => {
    const readme = read('README.md');
    const shown = useCosts(results).filter(({ item }) => readme.includes(`| ${item} |`));
    expect(shown.length).toBeGreaterThanOrEqual(8);
    for (const cost of shown) {
      const [, sum] = new RegExp(`\\| ${cost.item} \\|[^|]*\\| ([^|]*) \\|`).exec(readme) ?? [];
      expect(sum, cost.item).toBe(dollars(sumOf(cost)));
    }
  });
});
