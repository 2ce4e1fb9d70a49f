/**
 * The service under the limits of a small account: `node cli/launch.mjs bench/probes/strict.ts [rows] [seed]`. Plays the strict
 * scenario with a table of 200 write units, ten concurrent functions, real visibility, AWS latency and 5 % of faults.
 * Prints what became of it, and how much of the table it used. 20,000 rows take the table 270 s.
 */
import { count, table as printTable } from '../../cli/terminal.ts';
import { figuresOf, fivePercent, playStrict, smallAccount } from '../../test/e2e/strict-scenario.ts';
import { startService } from '../../test/support/service.ts';

const rows = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 1);
const logDir = process.env['STRICT_LOGS'];

await using service = await startService({
  strictness: smallAccount,
  faults: fivePercent(seed),
  context: { momentIntervalSeconds: '1' },
  // The second engine belongs to the test runner.
  tableEngine: undefined,
  ...(logDir === undefined ? {} : { logDir }),
});
const played = await playStrict(service, { rows, singles: 100, batches: 5, patienceMs: 3_600_000 });
const { file, records, expected, found, deliveries, parked, units, seconds } = played;
const { succeeded, used, lookupMs } = figuresOf(played);
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const here = new Set(found);
printTable([
  ['file', `${file.status}: ${count(file.completed)} of ${count(file.ingested)} rows, ${file.failed} failed`],
  ['seconds', seconds.toFixed(0)],
  ['records', `${count(records.completed)} of ${count(records.ingested)}, ${records.failed} failed`],
  ['parked messages', count(parked)],
  ['people lost', count(expected.filter((one) => !here.has(one)).length)],
  ['people doubled', count(found.length - here.size)],
  ['export and deliveries', `${deliveries.join(', ')}; ${count(played.exportedAddresses.length)} rows`],
  ['write units consumed', `${count(Math.round(units.write))}, ${percent(used)} of the table's`],
  ['by writes that succeeded', percent(succeeded)],
  ['throttled reads and writes', count(units.throttles)],
  ['lookups', `${lookupMs.p50.toFixed(0)} ms in the median, ${lookupMs.p99.toFixed(0)} ms in 99 of 100`],
]);
