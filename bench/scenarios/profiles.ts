import { tableNames } from '../../test/support/table-names.ts';
import { reportCost } from '../support/cost.ts';
import { interleaved, load, quantile, rateOf } from '../support/measure.ts';
import { scenario } from '../support/scenario.ts';
import { openService } from '../support/service.ts';

const AT_ONCE = 8;
const ROUNDS = 5;

export default scenario({
  name: 'profiles',
  title: 'Store single profiles',
  about:
    '`POST profiles` for new people and for known people, eight at a time; the segments show each person before the answer. The floor is a bare `PutItem` into the same table, eight at a time.',
  sizes: { ci: { profiles: 300 }, full: { profiles: 10_000 } },
  run: async ({ profiles }, report) => {
    await using service = await openService();
    const path = `/v1/${service.property}/profiles`;
    const post = async (index: number, first_name: string, wanted: number): Promise<void> => {
      const body = { email: `single.${index}@example.org`, first_name, city: 'Lyon' };
      report.check('status of a profile', (await service.call('POST', path, body)).status, wanted);
    };
    const put = (index: number) => {
      const Item = { pk: { S: `bench#${index}` }, sk: { S: 'item' }, value: { S: 'x'.repeat(200) } };
      return service.bare.call('PutItem', { TableName: tableNames.table, Item });
    };
    const each = Math.ceil(profiles / (ROUNDS + 2));
    const bars: { name: string; value: number }[] = [];
    const kinds = [
      { name: 'new people', wanted: 201, nameOf: () => 'New' },
      { name: 'known people', wanted: 200, nameOf: (round: number) => `Known ${round}` },
    ];
    for (const { name, wanted, nameOf } of kinds) {
      report.progress(name);
      const round = (number: number) =>
        load(each, AT_ONCE, (index) => post(number * each + index, nameOf(number), wanted));
      const { one, ratio } = await interleaved(ROUNDS, round, () => load(each, AT_ONCE, put));
      const { cost } = await service.cost(() => round(ROUNDS + 1));
      report.ratio(`${name}: a profile`, ratio);
      reportCost(report, cost, { units: each, of: 'profile', prefix: `${name}: ` });
      report.time(`${name}: rate`, rateOf(one), 'profiles/s');
      report.time(`${name}: median`, quantile(one, 0.5), 'ms');
      report.time(`${name}: 99th percentile`, quantile(one, 0.99), 'ms');
      bars.push({ name, value: ratio.median });
    }
    report.chart({ kind: 'bars', unit: 'time as a multiple of a bare PutItem', floor: 1, bars });
  },
});
