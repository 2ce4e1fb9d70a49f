import { measureRoundTrips, NOBODY } from '../../test/support/round-trips.ts';
import { scenario } from '../support/scenario.ts';

export default scenario({
  name: 'round-trips',
  title: 'Round trips of a request',
  about:
    'The AWS calls of a request that wait for each other, when all calls take equally long: in AWS each takes 4 to 10 ms. The floor is one call.',
  sizes: { ci: { requests: 1 }, full: { requests: 1 } },
  run: async (_, report) => {
    report.progress('follows the calls');
    const { first, warm } = await measureRoundTrips();
    for (const [index, { name, status, chain, calls }] of warm.entries()) {
      report.check(`${name}: status`, name === NOBODY ? status === 404 : status < 300, true);
      report.count(`${name}: in sequence`, chain.length, 'calls');
      report.count(`${name}: in sequence, cold caches`, first[index]?.chain.length ?? NaN, 'calls');
      report.count(`${name}: all`, calls.length, 'calls');
    }
    report.chart({
      kind: 'bars',
      unit: 'calls in sequence, warm',
      floor: 1,
      bars: warm.map(({ name, chain }) => ({ name, value: chain.length })),
    });
  },
});
