import { tableNames } from '../../test/support/table-names.ts';
import { reportApart } from '../support/cost.ts';
import { interleaved, load, quantile, rateOf } from '../support/measure.ts';
import { type Report, scenario } from '../support/scenario.ts';
import { type MeasuredService, openService } from '../support/service.ts';

const AT_ONCE = 8;
const ROUNDS = 5;

/** The people of the posts. */
interface Kind {
  readonly name: string;
  /** The status of an answer. */
  readonly wanted: number;
  readonly nameOf: (round: number) => string;
}

const kinds: readonly Kind[] = [
  { name: 'new people', wanted: 201, nameOf: () => 'New' },
  { name: 'known people', wanted: 200, nameOf: (round) => `Known ${round}` },
];

/** Posts a profile of a kind, by its number and its round. */
const postsTo =
  ({ call, property }: MeasuredService, { wanted, nameOf }: Kind, report: Report) =>
  async (index: number, round: number): Promise<void> => {
    const body = { email: `single.${index}@example.org`, first_name: nameOf(round), city: 'Lyon' };
    const { status } = await call('POST', `/v1/${property}/profiles`, body);
    report.check('status of a profile', status, wanted);
  };

export default scenario({
  name: 'profiles',
  title: 'Store single profiles',
  about:
    '`POST profiles` for new people and for known people, eight at a time; the segments show each person before the answer. The floor is a bare `PutItem` into the same table, eight at a time.',
  sizes: { ci: { profiles: 300 }, full: { profiles: 10_000 } },
  run: async ({ profiles }, report) => {
    await using service = await openService();
    await using apart = await openService({ apart: true });
    const put = (index: number) => {
      const Item = { pk: { S: `bench#${index}` }, sk: { S: 'item' }, value: { S: 'x'.repeat(200) } };
      return service.bare.call('PutItem', { TableName: tableNames.table, Item });
    };
    const each = Math.ceil(profiles / (ROUNDS + 2));
    const bars: { name: string; value: number }[] = [];
    for (const kind of kinds) {
      const { name } = kind;
      report.progress(name);
      const post = postsTo(service, kind, report);
      const round = (number: number) => load(each, AT_ONCE, (index) => post(number * each + index, number));
      const { one, ratio } = await interleaved(ROUNDS, round, () => load(each, AT_ONCE, put));
      const whole = await service.cost(() => round(ROUNDS + 1));
      const postApart = postsTo(apart, kind, report);
      const roundApart = (number: number) =>
        load(each, AT_ONCE, (index) => postApart(number * each + index, number));
      // The first round starts functions.
      await roundApart(0);
      const { cost } = await apart.cost(() => roundApart(1));
      report.ratio(`${name}: a profile`, ratio);
      reportApart(
        report,
        { apart: cost, whole: whole.cost },
        { units: each, of: 'profile', prefix: `${name}: ` },
      );
      report.time(`${name}: rate`, rateOf(one), 'profiles/s');
      report.time(`${name}: median`, quantile(one, 0.5), 'ms');
      report.time(`${name}: 99th percentile`, quantile(one, 0.99), 'ms');
      bars.push({ name, value: ratio.median });
    }
    report.chart({ kind: 'bars', unit: 'time as a multiple of a bare PutItem', floor: 1, bars });
  },
});
