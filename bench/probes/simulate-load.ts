/**
 * Simulates the import of a large file in virtual time, with the rate control of the product and as many workers as a
 * stage has: `node cli/launch.mjs bench/probes/simulate-load.ts [rows] [units …]`. Prints the time beside the least time that
 * the units of the table allow. A figure depends on the code alone, not on the machine.
 */
import { count, table as printTable } from '../../cli/terminal.ts';
import { simulateImport } from '../../test/table/simulated-import.ts';

const [rows = 1_000_000, ...asked] = process.argv.slice(2).map(Number);

/** The warm throughput of `prod`, and AWS's default quota of a table. */
const tables = asked.length > 0 ? asked : [20_000, 40_000];

/** Rows that one worker computes in a second: the two ends of the estimate in `limits.imports`. */
const speeds = [1_500, 2_500];

for (const units of tables) {
  for (const rowsPerWorkerSecond of speeds) {
    const { workers, seconds, leastSeconds, throttled, lookups } = await simulateImport({
      rows,
      units,
      rowsPerWorkerSecond,
    });
    const slowest = lookups[Math.ceil(0.99 * (lookups.length - 1))] ?? 0;
    printTable([
      ['write units a second', count(units)],
      ['workers', `${workers}, each ${count(rowsPerWorkerSecond)} rows a second`],
      ['rows', count(rows)],
      ['seconds', `${seconds.toFixed(0)}; the units allow ${leastSeconds.toFixed(0)}`],
      ['time over the least time', `${(100 * (seconds / leastSeconds - 1)).toFixed(0)} %`],
      ['throttled units', `${(100 * throttled).toFixed(0)} % of the served`],
      ['lookups', `${slowest.toFixed(0)} ms in 99 of 100`],
    ]);
    console.log('');
  }
}
