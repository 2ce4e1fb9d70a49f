import * as v from 'valibot';
import { count } from '../../cli/terminal.ts';
import { interleaved, load } from '../support/measure.ts';
import { openPeopleScene, type PeopleScene } from '../support/people-scene.ts';
import { scenario } from '../support/scenario.ts';

const AT_ONCE = 8;
const LOOKUPS = 200;
const LIMIT = 100;

const pageSchema = v.looseObject({ paging: v.looseObject({ count: v.number() }) });

/** What grows with the number of people, if anything does. */
interface Growing {
  readonly lookup: number;
  readonly lookupUnits: number;
  readonly page: number;
  readonly pageUnits: number;
  readonly profileUnits: number;
}

export default scenario({
  name: 'growth',
  title: 'The same work with more people',
  about:
    'One service grows, and does the same work at each size: a lookup, a page of 100 of every tenth person, a new person. The floor is a bare read of one item at the same size.',
  sizes: { ci: { people: [1_000, 10_000] }, full: { people: [10_000, 100_000, 1_000_000] } },
  run: async ({ people }, report) => {
    const [first = 0] = people;
    await using scene: PeopleScene = await openPeopleScene(first, report);
    const { service, lookUp, readItem, segmentOf } = scene;
    const segment = await segmentOf('tenth');
    const page = async (): Promise<void> => {
      const path = `/v2/properties/${service.property}/segments/${segment}/profiles?limit=${LIMIT}`;
      const { text } = await service.call('GET', path);
      report.check('profiles of a page', v.parse(pageSchema, JSON.parse(text)).paging.count, LIMIT);
    };
    const measure = async (size: number): Promise<Growing> => {
      const lookup = await interleaved(
        2,
        () => load(LOOKUPS, AT_ONCE, lookUp),
        () => load(LOOKUPS, AT_ONCE, readItem),
      );
      const pages = await interleaved(
        2,
        () => load(5, 1, page),
        () => load(LOOKUPS, AT_ONCE, readItem),
      );
      const lookups = await service.cost(() => load(LOOKUPS, AT_ONCE, lookUp));
      const paged = await service.cost(page);
      const posted = await service.cost(async () => {
        const body = { email: `new.${size}@example.org`, city: 'Lyon' };
        const { status } = await service.call('POST', `/v1/${service.property}/profiles`, body);
        report.check('status of a new profile', status, 201);
      });
      return {
        lookup: lookup.ratio,
        lookupUnits: (lookups.cost.readUnits + lookups.cost.writeUnits) / LOOKUPS,
        page: pages.ratio,
        pageUnits: paged.cost.readUnits,
        profileUnits: posted.cost.writeUnits,
      };
    };
    const sizes: Growing[] = [];
    for (const size of people) {
      const title = `${count(size)} people: `;
      if (size > first) await scene.grow(size);
      report.progress(`${title}measures`);
      const found = await measure(size);
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
