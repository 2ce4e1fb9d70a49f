/** The command `timeline changes`: who joined a segment, and who left it. */
import { type Command, Option } from 'commander';
import { type Act, onProperty, wholeNumber } from '../actions.ts';
import type { Connected } from '../context.ts';
import { CommandFailure, valueOf } from '../failure.ts';
import type { Column } from '../terminal/table.ts';
import { asName, count, moment } from '../terminal/text.ts';
import { findTimeline, newestMoments, whichTimeline } from '../timelines/find.ts';
import { type MomentPair, momentPair, type TimelineMoment } from '../timelines/moments.ts';
import { chosenColumns, type PeopleColumns, type Person } from './people-columns.ts';

/** Adds the command to `timeline`. */
export const addTimelineChanges = (group: Command, act: Act): void => {
  group
    .command('changes')
    .description('show who joined and who left between two moments')
    .argument('<timeline>', whichTimeline)
    .option(
      '--from <moment>',
      'the earlier moment: its id, or its time in UTC or the beginning of it (default: the moment before the other)',
    )
    .option('--to <moment>', 'the later moment (default: the newest)')
    .addOption(new Option('--only <change>', 'show only people who did this').choices(['joined', 'left']))
    .option('--columns <fields>', 'the columns: email,city=Ort,tags,consent.email,extra_data.Umsatz')
    .option('--limit <number>', 'the number of people to show', wholeNumber, 20)
    .addHelpText('after', help)
    .action(act(onProperty(changes)));
};

const help = `
A day such as 2026-11-22 means the first moment of this day for --from, and the last one for --to. The
chart has the times: tidemark timeline chart <timeline>`;

interface ChangesOptions {
  readonly from?: string;
  readonly to?: string;
  readonly only?: Change['change'];
  readonly columns?: string;
  readonly limit: number;
}

interface Change {
  readonly change: 'joined' | 'left';
  readonly person: Person;
}

const changeColumns = ({ columns }: PeopleColumns): readonly Column<Change>[] => [
  { heading: '', cell: ({ change }) => change },
  ...columns.map(({ cell, ...column }) => ({ ...column, cell: ({ person }: Change) => cell(person) })),
];

const changes = async (context: Connected, text: string, options: ChangesOptions): Promise<undefined> => {
  const { only, limit } = options;
  const wanted = chosenColumns(options.columns);
  const path = { timeline_id: await findTimeline(context, text) };
  const pair = await pairOf(context, path, options);
  const { joined, left } = await countsOf(context, pair);
  const people: Change[] = [];
  for await (const change of changesIn(context, path, { ...pair, ...wanted, only, limit })) {
    people.push(change);
    if (people.length === limit) break;
  }
  const { from, to } = pair;
  const all = (only === 'left' ? 0 : joined) + (only === 'joined' ? 0 : left);
  context.show({ from, to, joined, left, people }, () => [
    ...(people.length === 0 ? [] : context.table(changeColumns(wanted), people)),
    `From ${moment(from.created_date)} to ${moment(to.created_date)}: ${count(joined)} joined, ${count(left)} left.`,
    ...(all > people.length ? [`These are ${count(people.length)} of them; add --limit for more.`] : []),
  ]);
};

interface Path {
  readonly timeline_id: number;
}

const pairOf = async (context: Connected, path: Path, said: ChangesOptions): Promise<MomentPair> => {
  const { name, moments } = await newestMoments(context.client, path, Infinity);
  if (moments.length > 1) return valueOf(momentPair(moments, said));
  throw new CommandFailure(
    `The timeline ${asName(name)} has one moment. Take another: tidemark timeline moment ${path.timeline_id}`,
  );
};

/** How many joined and left. A moment has the figures since the one before; others are counted. */
const countsOf = async (
  context: Connected,
  { from, to, isNext }: MomentPair,
): Promise<{ readonly joined: number; readonly left: number }> => {
  if (isNext) return { joined: to.added ?? 0, left: to.removed ?? 0 };
  const inFirstOnly = async (one: TimelineMoment, other: TimelineMoment): Promise<number> => {
    const definition = { all: [one.id, { not: other.id }] };
    return (await context.client.previewSegment({ body: { definition } })).count ?? 0;
  };
  return { joined: await inFirstOnly(to, from), left: await inFirstOnly(from, to) };
};

interface Wanted extends MomentPair, PeopleColumns {
  readonly only: Change['change'] | undefined;
  readonly limit: number;
}

/** The people who joined or left. A moment without the members of the other has those of one kind alone. */
async function* changesIn(
  { client }: Connected,
  path: Path,
  { from, to, include, only, limit }: Wanted,
): AsyncGenerator<Change, undefined> {
  const page = { limit: Math.min(limit, PAGE), ...(include.length > 0 && { include }) };
  if (only === undefined) {
    const query = { from: from.id, to: to.id, ...page };
    for await (const { added, removed } of client.listTimelineChanges({ path, query })) {
      for (const person of added) yield { change: 'joined', person };
      for (const person of removed) yield { change: 'left', person };
    }
    return;
  }
  const [inside, outside] = only === 'joined' ? [to, from] : [from, to];
  const query = { ...page, not: outside.id };
  for await (const person of client.listSegmentProfiles({ path: { segment_id: inside.id }, query }))
    yield { change: only, person };
}

/** People that come with one request. */
const PAGE = 100;
