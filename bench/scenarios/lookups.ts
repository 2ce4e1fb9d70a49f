import { reportApart } from '../support/cost.ts';
import { interleaved, load, quantile, rateOf } from '../support/measure.ts';
import { costsApart, openPeopleScene } from '../support/people-scene.ts';
import { scenario } from '../support/scenario.ts';

const AT_ONCE = 8;
const ROUNDS = 5;

export default scenario({
  name: 'lookups',
  title: 'Look up people',
  about:
    'People are looked up by e-mail address over HTTP, eight at a time. The floor is a bare read of one item of the same table, eight at a time.',
  sizes: { ci: { people: 5_000, lookups: 1_200 }, full: { people: 1_000_000, lookups: 20_000 } },
  run: async ({ people, lookups }, report) => {
    const each = Math.ceil(lookups / ROUNDS);
    const apart = await costsApart(people, report, ({ lookUp }) =>
      Promise.resolve([{ name: 'lookups', work: () => load(each, AT_ONCE, lookUp) }]),
    );
    await using scene = await openPeopleScene(people, report);
    const { lookUp, readItem, service } = scene;
    report.progress('looks people up');
    const { one, other, ratio } = await interleaved(
      ROUNDS,
      (round) => load(each, AT_ONCE, (index) => lookUp(round * each + index)),
      () => load(each, AT_ONCE, readItem),
    );
    const alone = await interleaved(
      ROUNDS,
      () => load(Math.ceil(each / 10), 1, lookUp),
      () => load(Math.ceil(each / 10), 1, readItem),
    );
    const whole = await service.cost(() => load(each, AT_ONCE, lookUp));
    report.ratio('a lookup, eight at a time', ratio);
    report.ratio('a lookup, one at a time', alone.ratio);
    const costs = { apart: apart.get('lookups'), whole: whole.cost };
    reportApart(report, costs, { units: each, of: 'lookup' });
    report.time('rate, eight at a time', rateOf(one), 'lookups/s');
    report.time('median, eight at a time', quantile(one, 0.5), 'ms');
    report.time('99th percentile, eight at a time', quantile(one, 0.99), 'ms');
    report.time('median, one at a time', quantile(alone.one, 0.5), 'ms');
    report.time('99th percentile, one at a time', quantile(alone.one, 0.99), 'ms');
    report.time('bare reads of one item, eight at a time', rateOf(other), 'reads/s');
    report.chart({
      kind: 'bars',
      unit: 'time as a multiple of a bare read',
      floor: 1,
      bars: [
        { name: 'eight at a time', value: ratio.median },
        { name: 'one at a time', value: alone.ratio.median },
      ],
    });
  },
});
