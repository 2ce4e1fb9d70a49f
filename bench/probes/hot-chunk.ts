/**
 * Simulates POSTs for new people of one property, in virtual time, on a table as slow and as narrow as DynamoDB:
 * `node cli/launch.mjs bench/probes/hot-chunk.ts [requests per second …]`. Prints how many were answered and how fast, and the
 * units of each. A figure depends on the code alone, not on the machine.
 */
import { count, table as printTable } from '../../cli/terminal.ts';
import { post } from '../../test/ingest/posts.ts';

/** Requests of one load, and the longest one. */
const REQUESTS = 5_000;
const LONGEST_SECONDS = 60;

const asked = process.argv.slice(2).map(Number);
const rates = asked.length > 0 ? asked : [1, 10, 100, 1_000, 1_500];

for (const perSecond of rates) {
  const seconds = Math.min(LONGEST_SECONDS, Math.max(5, Math.floor(REQUESTS / perSecond)));
  const { latencies, meter } = await post({ perSecond, seconds });
  const at = (share: number): string =>
    `${count(Math.round(latencies[Math.floor(share * (latencies.length - 1))] ?? 0))} ms`;
  const each = (units: number): string => (units / latencies.length).toFixed(1);
  const busiest = meter.peaks('write').slice(0, 3);
  printTable([
    ['POSTs a second', count(perSecond)],
    ['answered', `${count(latencies.length)} of ${count(perSecond * seconds)}`],
    ['median, 99th percentile', `${at(0.5)}, ${at(0.99)}`],
    ['units of each', `${each(meter.total('write'))} written, ${each(meter.total('read'))} read`],
    ['throttled', count(meter.throttled)],
    [
      'write units in the busiest seconds',
      busiest.map(({ pk, units }) => `${pk} ${count(units)}`).join(', '),
    ],
  ]);
}
