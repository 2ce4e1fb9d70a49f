import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';

const read = (file: string): string =>
  readFileSync(join(import.meta.dirname, '../..', file), 'utf8').replaceAll(/\s+/g, ' ');
const { writeUnitsPerRow, readUnitsPerRow } = limits.imports;

/** List prices of us-east-1, in dollars for a million request units. */
const prices = { write: 0.625, read: 0.125 };

describe('the cost of a row', () => {
  it('is the measured cost in the table of costs, with the price that follows from it', () => {
    const dollars = Math.round((writeUnitsPerRow * prices.write + readUnitsPerRow * prices.read) * 10) / 10;
    expect(read('README.md')).toContain(
      `| import one million rows | ${writeUnitsPerRow} write units and ${readUnitsPerRow} read units a row | $${dollars.toFixed(2)} |`,
    );
  });

  it('is the measured cost where an operator plans a big import', () => {
    const units = (10_000 * writeUnitsPerRow).toLocaleString('en-US');
    expect(read('docs/deploying.md')).toContain(
      `a row takes ${writeUnitsPerRow}, so 10,000 rows a second take ${units}`,
    );
  });
});
