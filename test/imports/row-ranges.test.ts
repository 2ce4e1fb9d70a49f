import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRowRanges, printRowRanges } from '../../shared/imports/reports/row-ranges.ts';

describe('numbers of rows as text', () => {
  it('are short for neighbours', () => {
    expect(printRowRanges([3, 1, 2, 7, 9, 8, 3])).toBe('1-3,7-9');
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (rows) => {
        expect([...parseRowRanges(printRowRanges(rows))]).toEqual(rows.toSorted((a, b) => a - b));
      }),
    );
  });
});
