import * as v from 'valibot';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { batchesOf } from '../../shared/runtime/pool.ts';
import { keys, PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
import { tableNames } from '../../test/support/table-names.ts';
import { interleaved, load, quantile } from '../support/measure.ts';
import { peopleWith, sharedTags } from '../support/people-file.ts';
import { openPeopleScene } from '../support/people-scene.ts';
import { type Report, scenario } from '../support/scenario.ts';
import type { MeasuredService } from '../support/service.ts';

const TableName = tableNames.table;
const LIMIT = 1_000;
const ITEMS_AT_ONCE = 100;

const pageSchema = v.looseObject({ paging: v.looseObject({ count: v.number() }) });
const created = v.looseObject({ id: v.number() });

/** The bare read of so many profiles, of which each `step`-th is wanted: whole blocks, or single items. */
const bareRead = async ({ bare, property }: MeasuredService, wanted: number, step: number): Promise<void> => {
  if (step < 4) {
    const blocks = Math.ceil((wanted * step) / PROFILES_PER_BLOCK);
    const reads = Array.from({ length: blocks }, (_, block) => {
      const { pk } = keys.profile(property, block * PROFILES_PER_BLOCK);
      return bare.call('Query', {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
        ConsistentRead: true,
      });
    });
    await Promise.all(reads);
    return;
  }
  const Keys = Array.from({ length: wanted }, (_, index) => {
    const { pk, sk } = keys.profile(property, index * step);
    return { pk: { S: pk }, sk: { S: sk } };
  });
  const reads = [...batchesOf(Keys, ITEMS_AT_ONCE)].map((batch) =>
    bare.call('BatchGetItem', { RequestItems: { [TableName]: { Keys: batch, ConsistentRead: true } } }),
  );
  await Promise.all(reads);
};

/** A page to read. */
interface Page {
  readonly name: string;
  readonly segment: number;
  readonly not?: number;
  /** Members of the segment, without those of `not`. */
  readonly members: number;
  /** Every `step`-th person is a member. */
  readonly step: number;
}

const measure = async (
  service: MeasuredService,
  { name, segment, not, members, step }: Page,
  rounds: number,
  report: Report,
): Promise<number> => {
  const wanted = Math.min(LIMIT, members);
  const query = `limit=${LIMIT}${not === undefined ? '' : `&not=${not}`}`;
  const path = `/v2/properties/${service.property}/segments/${segment}/profiles?${query}`;
  const read = async (): Promise<void> => {
    const { status, text } = await service.call('GET', path);
    report.check(`${name}: status`, status, 200);
    report.check(`${name}: profiles`, v.parse(pageSchema, JSON.parse(text)).paging.count, wanted);
  };
  const { one, ratio } = await interleaved(
    rounds,
    () => load(3, 1, read),
    () => load(3, 1, () => bareRead(service, wanted, step)),
  );
  const { cost } = await service.cost(read);
  report.ratio(`${name}: a page`, ratio);
  report.count(`${name}: profiles`, wanted, 'a page');
  report.count(`${name}: read units`, cost.readUnits, 'a page');
  report.count(`${name}: calls of tables`, cost.tableCalls, 'a page');
  report.cpu(`${name}: processor time, functions`, cost.cpu.functions * 1e3, 'ms a page');
  report.cpu(`${name}: processor time, emulators`, cost.cpu.emulators * 1e3, 'ms a page');
  report.time(`${name}: median`, quantile(one, 0.5), 'ms');
  return ratio.median;
};

export default scenario({
  name: 'pages',
  title: 'Read pages of segments',
  about:
    'Pages of up to 1,000 profiles, one at a time: all people, every tenth, every hundredth, one segment without another, and three combined. The floor is the bare read of as many profiles at the same distances: whole blocks by `Query`, single items by `BatchGetItem`.',
  sizes: { ci: { people: 5_000, rounds: 4 }, full: { people: 1_000_000, rounds: 10 } },
  run: async ({ people, rounds }, report) => {
    await using scene = await openPeopleScene(people, report);
    const { service, segmentOf } = scene;
    const [tenth, hundredth, half, third] = await Promise.all([
      segmentOf('tenth'),
      segmentOf('hundredth'),
      segmentOf('half'),
      segmentOf('third'),
    ]);
    const body = { name: 'combined', definition: { all: [half, { any: [tenth, third] }] } };
    const answer = await service.call('POST', `/v1/${service.property}/segments`, body);
    const combined = v.parse(created, JSON.parse(answer.text)).id;
    const everyone = everyoneId(service.property);
    const { half: inHalf, third: inThird, tenth: inTenth } = sharedTags;
    const pages: readonly Page[] = [
      { name: 'everyone', segment: everyone, members: peopleWith(people), step: 1 },
      { name: 'every tenth', segment: tenth, members: peopleWith(people, inTenth), step: 10 },
      {
        name: 'every hundredth',
        segment: hundredth,
        members: peopleWith(people, sharedTags.hundredth),
        step: 100,
      },
      {
        name: 'everyone without half',
        segment: everyone,
        not: half,
        members: peopleWith(people, (row) => !inHalf(row)),
        step: 2,
      },
      {
        name: 'half and (tenth or third)',
        segment: combined,
        members: peopleWith(people, (row) => inHalf(row) && (inTenth(row) || inThird(row))),
        step: 5,
      },
    ];
    const bars: { name: string; value: number }[] = [];
    for (const page of pages) {
      report.progress(page.name);
      bars.push({ name: page.name, value: await measure(service, page, rounds, report) });
    }
    report.chart({ kind: 'bars', unit: 'time as a multiple of the bare read', floor: 1, bars });
  },
});
