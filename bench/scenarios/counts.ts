import * as v from 'valibot';
import { reportApart } from '../support/cost.ts';
import { interleaved, load, quantile } from '../support/measure.ts';
import { peopleWith, sharedTags } from '../support/people-file.ts';
import { costsApart, openPeopleScene, type PeopleScene } from '../support/people-scene.ts';
import { type Report, scenario } from '../support/scenario.ts';

const ROUNDS = 5;

const counted = v.looseObject({ count: v.number() });

/** The two kinds of counts. */
const kindsOf = async ({ service, segmentOf }: PeopleScene, people: number, report: Report) => {
  const [half, third] = [await segmentOf('half'), await segmentOf('third')];
  const root = `/v1/${service.property}/segments`;
  const definition = { all: [half, { not: third }] };
  const { half: inHalf, third: inThird } = sharedTags;
  const kinds = [
    {
      name: 'a segment',
      wanted: peopleWith(people, inHalf),
      ask: () => service.call('GET', `${root}/${half}`),
    },
    {
      name: 'a new definition',
      wanted: peopleWith(people, (row) => inHalf(row) && !inThird(row)),
      ask: () => service.call('POST', `${root}/preview`, { definition }),
    },
  ];
  return kinds.map(({ name, wanted, ask }) => ({
    name,
    read: async (): Promise<void> => {
      const { text } = await ask();
      report.check(`the members of ${name}`, v.parse(counted, JSON.parse(text)).count, wanted);
    },
  }));
};

export default scenario({
  name: 'counts',
  title: 'Count members',
  about:
    'The exact number of members, one request at a time: of a stored segment, and of a definition that no segment has yet. Both are checked. The floor is one bare read of an item.',
  sizes: { ci: { people: 5_000, counts: 30 }, full: { people: 1_000_000, counts: 200 } },
  run: async ({ people, counts }, report) => {
    const costs = await costsApart(people, report, async (apart) =>
      (await kindsOf(apart, people, report)).map(({ name, read }) => ({
        name,
        work: () => load(counts, 1, read),
      })),
    );
    await using scene = await openPeopleScene(people, report);
    const { service, readItem } = scene;
    const bars: { name: string; value: number }[] = [];
    for (const { name, read } of await kindsOf(scene, people, report)) {
      report.progress(name);
      const { one, ratio } = await interleaved(
        ROUNDS,
        () => load(Math.ceil(counts / ROUNDS), 1, read),
        () => load(Math.ceil(counts / ROUNDS), 1, readItem),
      );
      const { cost } = await service.cost(() => load(counts, 1, read));
      report.ratio(`${name}: a count`, ratio);
      const work = { units: counts, of: 'count', prefix: `${name}: ` };
      reportApart(report, { apart: costs.get(name), whole: cost }, work);
      report.time(`${name}: median`, quantile(one, 0.5), 'ms');
      report.time(`${name}: 99th percentile`, quantile(one, 0.99), 'ms');
      bars.push({ name, value: ratio.median });
    }
    report.chart({ kind: 'bars', unit: 'time as a multiple of a bare read', floor: 1, bars });
  },
});
