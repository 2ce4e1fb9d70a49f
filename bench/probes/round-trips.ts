/**
 * Round trips of the API: `node cli/launch.mjs bench/probes/round-trips.ts`. Prints for each request the AWS calls that wait for
 * each other, on the embedded cloud with calls of equal length, and all calls: first with cold caches, then warm.
 */
import { table } from '../../cli/terminal.ts';
import { measureRoundTrips } from '../../test/support/round-trips.ts';

const { first, warm } = await measureRoundTrips();
table([
  ['request', 'in sequence (cold), all: sequence'],
  ...warm.map(({ name, chain, calls }, index): readonly [string, string] => {
    const sequence = chain.map((action) => action.replace(/^.*:/, '')).join(' ');
    return [name, `${chain.length} (${first[index]?.chain.length}), ${calls.length}: ${sequence}`];
  }),
]);
