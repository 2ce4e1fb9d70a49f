import { join } from 'node:path';
import { count } from '../../cli/terminal.ts';
import { findPostgres } from '../peer/installed.ts';
import { openPeer, type Peer } from '../peer/peer.ts';
import { peerSide, type Side } from '../peer/side.ts';
import { tidemarkSide } from '../peer/tidemark-side.ts';
import { temporaryFolder } from '../support/folder.ts';
import { interleaved, type Load, load, median, rateOf, type Spread, spreadOf } from '../support/measure.ts';
import {
  definePeople,
  emailOf,
  peopleWith,
  refusedBetween,
  rowOf,
  sharedTags,
  writePeople,
} from '../support/people-file.ts';
import { type Report, scenario } from '../support/scenario.ts';
import { type MeasuredService, openService } from '../support/service.ts';

const AT_ONCE = 8;
const PAGE = 1_000;

/** The unit of a ratio: the time of Tidemark as a multiple of the time of PostgreSQL for the same work. */
const UNIT = '× PostgreSQL';

/** Both sides, on one machine. */
interface Contest {
  readonly service: MeasuredService;
  readonly peer: Peer;
  readonly tidemark: Side;
  readonly postgres: Side;
  readonly report: Report;
  /** The ratios so far. */
  readonly bars: { readonly name: string; readonly value: number }[];
}

/** Reports a ratio, and keeps it for the picture. */
const reportRatio = ({ report, bars }: Contest, name: string, ratio: Spread): void => {
  report.ratio(name, ratio, UNIT);
  bars.push({ name, value: ratio.median });
};

/** Work that both sides do in turn. */
interface Task {
  readonly name: string;
  /** The unit of the rate. A call does `each` of it. */
  readonly unit: string;
  readonly each?: number;
  readonly rounds: number;
  readonly run: (side: Side, round: number) => Promise<Load>;
}

/** Lets both sides do the work in turn, and reports the ratio with its spread, and both rates. */
const compare = async (contest: Contest, { name, unit, each = 1, rounds, run }: Task): Promise<void> => {
  const { tidemark, postgres, report } = contest;
  report.progress(name);
  const { one, other, ratio } = await interleaved(
    rounds,
    (round) => run(tidemark, round),
    (round) => run(postgres, round),
  );
  reportRatio(contest, name, ratio);
  report.time(`${name}: ${tidemark.name}`, rateOf(one) * each, `${unit}/s`);
  report.time(`${name}: ${postgres.name}`, rateOf(other) * each, `${unit}/s`);
};

/** Sizes of the short work. */
interface Calls {
  readonly rounds: number;
  readonly lookups: number;
  readonly pages: number;
  readonly posts: number;
  readonly counts: number;
}

/** Members of the segment `half`, and those of them who are not in `third`. */
const membersOf = (rows: number) => ({
  half: peopleWith(rows, sharedTags.half),
  combined: peopleWith(rows, (row) => sharedTags.half(row) && !sharedTags.third(row)),
});

/** Counts and moments of a segment of half the people, with so many rows. */
const compareSets = async (contest: Contest, rows: number, { rounds, counts }: Calls): Promise<void> => {
  const { half, combined } = membersOf(rows);
  const title = `${count(rows)} people: `;
  await compare(contest, {
    ...{ name: `${title}a count of a segment`, unit: 'counts', rounds },
    run: (side) => load(counts, 1, () => side.count(half)),
  });
  await compare(contest, {
    ...{ name: `${title}a count of a definition`, unit: 'counts', rounds },
    run: (side) => load(counts, 1, () => side.countCombined(combined)),
  });
  await compareMoments(contest, { title, rounds, members: half });
};

/** Freezes the segment on both sides in turn, and reports what a moment takes of each. */
const compareMoments = async (
  contest: Contest,
  { title, rounds, members }: { title: string; rounds: number; members: number },
): Promise<void> => {
  const { service, peer, report, tidemark } = contest;
  const checks: (() => Promise<void>)[] = [];
  const freeze = (side: Side): Promise<Load> =>
    load(1, 1, async () => void checks.push(await side.freeze(members)));
  const size = async (): Promise<number> =>
    Number(await peer.psql("select pg_total_relation_size('moment_members')"));
  const before = await size();
  await compare(contest, { name: `${title}a moment`, unit: 'moments', rounds, run: freeze });
  const grown = (await size()) - before;
  const { cost } = await service.cost(() => freeze(tidemark));
  for (const check of checks) await check();
  const written = cost.meter.reduce((sum, { writeUnits, bytes }) => sum + (writeUnits > 0 ? bytes : 0), 0);
  report.count(`${title}a moment: ${tidemark.name}`, written / members, 'bytes a member');
  report.count(`${title}a moment: PostgreSQL`, grown / (rounds + 1) / members, 'bytes a member');
};

/** The work of single requests, with so many rows. */
const compareRequests = async (contest: Contest, rows: number, calls: Calls): Promise<void> => {
  const { rounds, lookups, pages, posts } = calls;
  const title = `${count(rows)} people: `;
  await compare(contest, {
    ...{ name: `${title}lookups, eight at a time`, unit: 'lookups', rounds },
    run: (side, round) =>
      load(lookups, AT_ONCE, (index) => side.lookUp(rowOf(round * lookups + index, rows))),
  });
  const limit = Math.min(PAGE, membersOf(rows).half);
  await compare(contest, {
    ...{ name: `${title}a page of ${count(limit)}`, unit: 'pages', rounds },
    run: (side) => load(pages, 1, () => side.page(limit)),
  });
  const people = rows - refusedBetween(1, rows);
  await compare(contest, {
    ...{
      name: `${title}an export of everyone`,
      unit: 'profiles',
      each: people,
      rounds: Math.ceil(rounds / 2),
    },
    run: (side) => load(1, 1, () => side.export(people)),
  });
  const newcomer = (index: number) => ({
    email: `new.${index}@example.org`,
    first_name: 'New',
    city: 'Lyon',
  });
  await compare(contest, {
    ...{ name: `${title}new people, eight at a time`, unit: 'profiles', rounds },
    run: (side, round) => load(posts, AT_ONCE, (index) => side.store(newcomer(round * posts + index), 201)),
  });
  // Nobody comes twice: a process of Tidemark remembers where it found people.
  const known = (index: number) => ({ email: emailOf(rowOf(index, rows)), first_name: 'Known' });
  await compare(contest, {
    ...{ name: `${title}known people, eight at a time`, unit: 'profiles', rounds },
    run: (side, round) => load(posts, AT_ONCE, (index) => side.store(known(round * posts + index), 200)),
  });
};

/** Imports the rows of one file on both sides, and returns the seconds of each. */
const importBoth = async (
  { tidemark, postgres, peer }: Contest,
  rows: { readonly file: string; readonly from: number; readonly to: number },
): Promise<{ readonly one: number; readonly other: number }> => {
  await writePeople(rows.file, rows.from, rows.to);
  const [one, other] = [
    await load(1, 1, () => tidemark.importFile(rows)),
    await load(1, 1, () => postgres.importFile(rows)),
  ];
  // The server would do this by itself within a minute. Counts are faster afterwards.
  await peer.psql('vacuum analyze');
  return { one: one.seconds, other: other.seconds };
};

/** The whole contest: a file, the work of requests, more files, and sets of all people. */
const contend = async (
  contest: Contest,
  { file, files, ...calls }: Calls & { readonly file: number; readonly files: number },
): Promise<void> => {
  const { report } = contest;
  await using folder = await temporaryFolder();
  const pairs: { readonly one: number; readonly other: number }[] = [];
  for (let number = 0; number < files; number += 1) {
    report.progress(`file ${number + 1} of ${files}`);
    const [from, to] = [number * file + 1, (number + 1) * file];
    pairs.push(await importBoth(contest, { file: join(folder.path, 'people.csv'), from, to }));
    if (number > 0) continue;
    await compareSets(contest, file, calls);
    await compareRequests(contest, file, calls);
  }
  const name = `an import of ${count(file)} rows`;
  reportRatio(contest, name, spreadOf(pairs.map(({ one, other }) => one / other)));
  report.time(`${name}: Tidemark`, file / median(pairs.map(({ one }) => one)), 'rows/s');
  report.time(`${name}: PostgreSQL`, file / median(pairs.map(({ other }) => other)), 'rows/s');
  await compareSets(contest, file * files, calls);
};

export default scenario({
  name: 'peers',
  title: 'Beside PostgreSQL',
  about:
    'The service on its embedded cloud, and PostgreSQL with set-based SQL behind a small HTTP service, do the same work on the same people in turn; all answers are checked. A ratio is the time of Tidemark as a multiple of the time of PostgreSQL: below 1, Tidemark is faster.',
  lacks: () =>
    findPostgres() ? undefined : 'PostgreSQL is not installed here (Debian: apt install postgresql).',
  sizes: {
    ci: { file: 5_000, files: 3, rounds: 3, lookups: 64, pages: 2, posts: 16, counts: 5 },
    full: { file: 100_000, files: 10, rounds: 7, lookups: 1_000, pages: 5, posts: 200, counts: 20 },
  },
  run: async (sizes, report) => {
    const programs = findPostgres();
    if (!programs) throw new Error('PostgreSQL is not installed');
    await using folder = await temporaryFolder();
    await using peer = await openPeer(programs);
    await using service = await openService({ dataDir: join(folder.path, 'data') });
    const tidemark = tidemarkSide(service, await definePeople(service), report);
    const contest = { service, peer, tidemark, postgres: peerSide(peer, report), report, bars: [] };
    report.count('version of PostgreSQL', await peer.version(), 'version');
    await contend(contest, sizes);
    report.chart({
      kind: 'bars',
      unit: 'time as a multiple of the time of PostgreSQL',
      floor: 1,
      floorIs: 'PostgreSQL',
      bars: contest.bars,
    });
  },
});
