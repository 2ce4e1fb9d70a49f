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
    'People are looked up by e-mail address over HTTP, eight at a time, each once. The floor is a bare read of one item of the same table, eight at a time.',
  sizes: { ci: { people: 5_000, lookups: 1_200 }, full: { people: 1_000_000, lookups: 20_000 } },
  run: async ({ people, lookups }, report) => {
    const each = Math.ceil(lookups / ROUNDS);
    const apart = await costsApart(people, report, ({ lookUp }) => {
      const some = (round: number) => load(each, AT_ONCE, (index) => lookUp(round * each + index));
      return Promise.resolve([
        { name: 'lookups', work: some },
        { name: 'again', work: () => some(0) },
      ]);
    });
    await using scene = await openPeopleScene(people, report);
    const { lookUp, readItem, service } = scene;
    report.progress('looks people up');
    let next = 0;
    /** Looks up people whom nobody has looked up before: a process remembers where it found somebody. */
    const lookUpOthers = (calls: number, atOnce: number) => {
      const from = next;
      next += calls;
      return load(calls, atOnce, (index) => lookUp(from + index));
    };
    const { one, other, ratio } = await interleaved(
      ROUNDS,
      () => lookUpOthers(each, AT_ONCE),
      () => load(each, AT_ONCE, readItem),
    );
    const few = Math.ceil(each / 10);
    const alone = await interleaved(
      ROUNDS,
      () => lookUpOthers(few, 1),
      () => load(few, 1, readItem),
    );
    const whole = await service.cost(() => lookUpOthers(each, AT_ONCE));
    report.ratio('a lookup, eight at a time', ratio);
    report.ratio('a lookup, one at a time', alone.ratio);
    const costs = { apart: apart.get('lookups'), whole: whole.cost };
    reportApart(report, costs, { units: each, of: 'lookup' });
    const again = apart.get('again')?.readUnits ?? NaN;
    report.count('read units, of the same people again', again / each, 'a lookup');
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
