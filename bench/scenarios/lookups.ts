import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { join } from 'node:path';
import * as v from 'valibot';
import { keys } from '../../shared/table/keys.ts';
import { tableNames } from '../../test/support/table-names.ts';
import { reportCost } from '../support/cost.ts';
import { temporaryFolder } from '../support/folder.ts';
import { interleaved, load, quantile, rateOf } from '../support/measure.ts';
import {
  definePeople,
  emailOf,
  firstNameOf,
  importPeople,
  isRefused,
  writePeople,
} from '../support/people-file.ts';
import { scenario } from '../support/scenario.ts';
import { openService } from '../support/service.ts';

const AT_ONCE = 8;
const ROUNDS = 3;

const answered = v.object({ profile: v.looseObject({ first_name: v.string() }) });

export default scenario({
  name: 'lookups',
  title: 'Look up people',
  about:
    'People are looked up by e-mail address over HTTP, eight at a time. The floor is a bare `GetItem` of the same table, eight at a time.',
  sizes: { ci: { people: 10_000, lookups: 2_000 }, full: { people: 1_000_000, lookups: 20_000 } },
  run: async ({ people, lookups }, report) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'people.csv');
    await writePeople(file, 1, people);
    await using service = await openService({ dataDir: join(folder.path, 'data') });
    const importId = await definePeople(service);
    await importPeople(service, { importId, file, from: 1, to: people }, report);
    const each = Math.ceil(lookups / ROUNDS);
    const rowOf = (index: number): number => {
      const row = 1 + ((index * 7_919) % people);
      return isRefused(row) ? row - 1 : row;
    };
    const lookUp = async (index: number): Promise<void> => {
      const row = rowOf(index);
      const path = `/v1/${service.property}/profile?email=${encodeURIComponent(emailOf(row))}`;
      const answer = await service.call('GET', path);
      report.check('status of a lookup', answer.status, 200);
      const { profile } = v.parse(answered, JSON.parse(answer.text));
      report.check(`the name of row ${row}`, profile.first_name, firstNameOf(row));
    };
    const getItem = async (index: number): Promise<void> => {
      const { pk, sk } = keys.profile(service.property, (index * 7_919) % Math.floor(people * 0.99));
      const Key = { pk: { S: pk }, sk: { S: sk } };
      await service.bare.send(new GetItemCommand({ TableName: tableNames.table, Key, ConsistentRead: true }));
    };
    report.progress('looks people up');
    const warm = await load(Math.min(each, 500), AT_ONCE, lookUp);
    const { one, other, ratio } = await interleaved(
      ROUNDS,
      (round) => load(each, AT_ONCE, (index) => lookUp(round * each + index)),
      () => load(each, AT_ONCE, getItem),
    );
    report.progress('counts');
    const { cost } = await service.cost(() => load(each, AT_ONCE, lookUp));
    const alone = await load(Math.ceil(each / 4), 1, lookUp);
    const bareAlone = await load(Math.ceil(each / 4), 1, getItem);
    report.ratio('a lookup, eight at a time', ratio);
    report.ratio('a lookup, one at a time, median', quantile(alone, 0.5) / quantile(bareAlone, 0.5));
    reportCost(report, cost, { units: each, of: 'lookup' });
    report.time('rate, eight at a time', rateOf(one), 'lookups/s');
    report.time('median, eight at a time', quantile(one, 0.5), 'ms');
    report.time('99th percentile, eight at a time', quantile(one, 0.99), 'ms');
    report.time('median, one at a time', quantile(alone, 0.5), 'ms');
    report.time('99th percentile, one at a time', quantile(alone, 0.99), 'ms');
    report.time('first lookups, with cold caches', rateOf(warm), 'lookups/s');
    report.time('bare `GetItem`, eight at a time', rateOf(other), 'reads/s');
    report.chart({
      kind: 'bars',
      unit: 'time as a multiple of a bare GetItem',
      floor: 1,
      bars: [
        { name: 'eight at a time', value: ratio },
        { name: 'one at a time', value: quantile(alone, 0.5) / quantile(bareAlone, 0.5) },
      ],
    });
  },
});
