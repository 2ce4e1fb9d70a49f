import { describe, expect, it } from 'vitest';
import { simulateImport } from './simulated-import.ts';

/** The two ends of the estimate of `limits.imports.rowsPerWorkerSecond`. */
const speeds = [1_500, 2_500];

describe.each(speeds)('import workers that compute %i rows a second', (rowsPerWorkerSecond) => {
  it.each([20_000, 40_000])(
    'store a file in the time that a table of %i units allows, and a fifth more',
    async (units) => {
      // About 27 seconds of the table.
      const rows = 10 * units;
      const { seconds, leastSeconds, throttled, lookups } = await simulateImport({
        rows,
        units,
        rowsPerWorkerSecond,
      });
      expect(seconds).toBeLessThan(1.2 * leastSeconds);
      // They ask for little more than the table serves.
      expect(throttled).toBeLessThan(0.25);
      expect(lookups[Math.ceil(0.99 * (lookups.length - 1))]).toBeLessThan(2_000);
    },
  );
});
