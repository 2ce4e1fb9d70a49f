import * as v from 'valibot';
import { count } from '../../cli/terminal.ts';
import { interleaved, load, type Spread } from '../support/measure.ts';
import { openPeopleScene, type PeopleScene } from '../support/people-scene.ts';
import { type Report, scenario } from '../support/scenario.ts';
import type { Cost } from '../support/service.ts';

const AT_ONCE = 8;
const ROUNDS = 3;
const LOOKUPS = 200;
const LIMIT = 100;

/** One request may meet the first person of a block, or a directory that just grew; so many show the usual cost. */
const COUNTED = 50;

const pageSchema = v.looseObject({ paging: v.looseObject({ count: v.number() }) });

/** What grows with the number of people, if anything does. */
interface Growing {
  readonly lookup: Spread;
  readonly lookupUnits: number;
  readonly page: Spread;
  readonly pageUnits: number;
  readonly profileUnits: number;
}

/** Kinds of items that a process reads and writes once in a while, however many requests there are. */
const OF_TIME: readonly string[] = ['rate', 'credential', 'property'];

/** Units of a request, without those of items that time asks for. */
const unitsOf = ({ meter }: Cost, of: 'readUnits' | 'writeUnits'): number =>
  meter.reduce((sum, line) => sum + (OF_TIME.includes(line.kind) ? 0 : line[of]), 0) / COUNTED;

/** Does the work with so many people. */
const measure = async (
  { service, lookUp, readItem }: PeopleScene,
  segment: number,
  size: number,
  report: Report,
): Promise<Growing> => {
  const page = async (): Promise<void> => {
    const path = `/v2/properties/${service.property}/segments/${segment}/profiles?limit=${LIMIT}`;
    const { text } = await service.call('GET', path);
    report.check('profiles of a page', v.parse(pageSchema, JSON.parse(text)).paging.count, LIMIT);
  };
  const lookup = await interleaved(
    ROUNDS,
    (round) => load(LOOKUPS, AT_ONCE, (index) => lookUp(round * LOOKUPS + index)),
    () => load(LOOKUPS, AT_ONCE, readItem),
  );
  const pages = await interleaved(
    ROUNDS,
    () => load(5, 1, page),
    () => load(LOOKUPS, AT_ONCE, readItem),
  );
  const post = async (index: number): Promise<void> => {
    const body = { email: `new.${size}.${index}@example.org`, city: 'Lyon' };
    const { status } = await service.call('POST', `/v1/${service.property}/profiles`, body);
    report.check('status of a new profile', status, 201);
  };
  const lookups = await service.cost(() =>
    load(COUNTED, AT_ONCE, (index) => lookUp((ROUNDS + 1) * LOOKUPS + index)),
  );
  const paged = await service.cost(() => load(COUNTED, 1, page));
  const posted = await service.cost(() => load(COUNTED, 1, post));
  return {
    lookup: lookup.ratio,
    lookupUnits: unitsOf(lookups.cost, 'readUnits') + unitsOf(lookups.cost, 'writeUnits'),
    page: pages.ratio,
    pageUnits: unitsOf(paged.cost, 'readUnits'),
    profileUnits: unitsOf(posted.cost, 'writeUnits'),
  };
};

export default scenario({
  name: 'growth',
  title: 'The same work with more people',
  about:
    'One service grows, and does the same work at each size: a lookup, a page of 100 of every tenth person, a new person. Each count is the mean of 50 requests, without what a process reads and writes once in a while. The floor is a bare read of one item at the same size.',
  sizes: { ci: { people: [1_000, 10_000] }, full: { people: [10_000, 100_000, 1_000_000] } },
  run: async ({ people }, report) => {
    const [first = 0] = people;
    await using scene: PeopleScene = await openPeopleScene(first, report);
    const segment = await scene.segmentOf('tenth');
    const sizes: Growing[] = [];
    for (const size of people) {
      const title = `${count(size)} people: `;
      if (size > first) await scene.grow(size);
      report.progress(`${title}measures`);
      const found = await measure(scene, segment, size, report);
      sizes.push(found);
      report.ratio(`${title}a lookup`, found.lookup);
      report.ratio(`${title}a page of ${LIMIT}`, found.page);
      report.count(`${title}a lookup`, found.lookupUnits, 'units');
      report.count(`${title}a page of ${LIMIT}`, found.pageUnits, 'read units');
      report.count(`${title}a new person`, found.profileUnits, 'write units');
    }
    report.chart({
      kind: 'lines',
      unit: 'request units of each',
      at: people.map((size) => `${count(size)} people`),
      lines: [
        { name: 'a lookup', values: sizes.map((each) => each.lookupUnits) },
        { name: 'a page of 100', values: sizes.map((each) => each.pageUnits) },
        { name: 'a new person', values: sizes.map((each) => each.profileUnits) },
      ],
    });
  },
});
