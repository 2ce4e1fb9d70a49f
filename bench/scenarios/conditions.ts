import { join } from 'node:path';
import { count } from '../../cli/terminal.ts';
import { utcDayOf } from '../../shared/runtime/utc-days.ts';
import { conditionsOn, spendingColumns, type KnownCondition } from '../support/conditions.ts';
import { temporaryFolder } from '../support/folder.ts';
import { compareImports, openSide } from '../support/import-pairs.ts';
import { timed } from '../support/measure.ts';
import { writePeople } from '../support/people-file.ts';
import { openPeopleScene, type PeopleScene } from '../support/people-scene.ts';
import { checkMembers, makeConditions, untilReady } from '../support/prepare.ts';
import { type Report, scenario } from '../support/scenario.ts';
import type { Cost } from '../support/service.ts';

/** The functions that prepare conditions. */
const PREPARING = /reconcile|drain/i;

/** A kind of item is worth a line of its own if it took at least this share of all units. */
const LEAST_SHARE = 0.01;

const sumOf = (meter: Cost['meter'], of: 'readUnits' | 'writeUnits'): number =>
  meter.reduce((sum, line) => sum + line[of], 0);

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Reports the units of a preparation, whole and by kind of item. */
const reportUnits = (report: Report, title: string, { meter }: Cost): void => {
  const own = meter.filter((line) => PREPARING.test(line.caller));
  for (const unit of ['readUnits', 'writeUnits'] as const) {
    const name = unit === 'readUnits' ? 'read units' : 'write units';
    const all = sumOf(own, unit);
    report.count(`${title}: ${name}`, all, 'units');
    for (const [kind, lines] of Map.groupBy(own, (line) => line.kind)) {
      const units = sumOf(lines, unit);
      if (units > LEAST_SHARE * all) report.count(`${title}: ${name}, ${kind}`, units, 'units');
    }
  }
};

/** Makes all conditions at once. Reports the time and the units until the last of them is ready. */
const prepare = async (
  { service }: PeopleScene,
  { rows, conditions }: { readonly rows: number; readonly conditions: readonly KnownCondition[] },
  report: Report,
): Promise<void> => {
  const title = `${count(rows)} people, ${count(conditions.length)} condition${conditions.length === 1 ? '' : 's'}`;
  const { result, cost } = await service.cost(async () => {
    const made = await makeConditions(service, conditions);
    const { seconds } = await timed(() => untilReady(service, made, { report }));
    return { made, seconds };
  });
  report.time(`${title}: from the last creation to ready`, result.seconds, 's');
  reportUnits(report, title, cost);
  const { functions, emulators, other } = cost.cpu;
  report.cpu(`${title}: processor time, whole service`, functions + emulators + other, 's');
  await checkMembers(service, result.made, { rows, report });
};

/** Imports files until all conditions are ready, and checks that none of their people is missing. */
const importBeside = async (
  { rows, today }: { readonly rows: number; readonly today: number },
  report: Report,
): Promise<void> => {
  await using side = await openSide(today);
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'people.csv');
  let last = 0;
  const importNext = async (): Promise<void> => {
    const range = { from: last + 1, to: last + rows };
    await writePeople(file, range.from, range.to, spendingColumns(today));
    await side.importRows(file, range, report);
    last = range.to;
  };
  await importNext();
  const made = await makeConditions(side.service, conditionsOn(today));
  await untilReady(side.service, made, { report, meanwhile: importNext });
  report.progress('counts members');
  await checkMembers(side.service, made, { rows: last, report });
  report.count('imported beside the preparation', last, 'rows');
};

/** Imports the same files with conditions and without them. Before, both sides have the same few people. */
const importWithAndWithout = async (
  { rows, pairs, few, today }: { readonly rows: number; pairs: number; few: number; today: number },
  report: Report,
): Promise<void> => {
  await using one = await openSide(today);
  await using other = await openSide(today);
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'people.csv');
  await writePeople(file, 1, few, spendingColumns(today));
  for (const side of [one, other]) await side.importRows(file, { from: 1, to: few }, report);
  await untilReady(one.service, await makeConditions(one.service, conditionsOn(today)), { report });
  const compared = { what: 'conditions', first: few + 1, rows, pairs, today };
  await compareImports({ with: one, without: other }, compared, report);
};

export default scenario({
  name: 'conditions',
  title: 'Segments by condition',
  about:
    'Two hundred conditions, each with about half of the people: what it takes until they are ready, and what they cost an import afterwards. All counts are checked against a filter over the file, also of files that came during the preparation. An import with conditions is compared with the same import without them, in another service of the same run.',
  sizes: {
    ci: { people: 20_000, atOnce: [200], rows: 5_000, pairs: 2, beside: 1_000 },
    full: { people: 1_000_000, atOnce: [1, 199], rows: 100_000, pairs: 3, beside: 20_000 },
  },
  run: async ({ people, atOnce, rows, pairs, beside }, report) => {
    const today = utcDayOf(Date.now());
    await importBeside({ rows: beside, today }, report);
    await importWithAndWithout({ rows, pairs, few: beside, today }, report);
    await using scene = await openPeopleScene(people, report, { more: spendingColumns(today) });
    const all = conditionsOn(today);
    for (const [index, some] of atOnce.entries()) {
      const from = sum(atOnce.slice(0, index));
      await prepare(scene, { rows: people, conditions: all.slice(from, from + some) }, report);
    }
  },
});
