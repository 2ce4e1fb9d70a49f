/** The command `timeline changes`: who joined a segment, and who left it. */
import type { Command } from 'commander';
import type { Item } from '../../src/index.ts';
import { type Act, onProperty, wholeNumber } from '../actions.ts';
import type { Connected } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import type { Column } from '../terminal/table.ts';
import { asName, count, moment } from '../terminal/text.ts';
import { findTimeline, newestMoments, whichTimeline } from '../timelines/find.ts';
import { peopleColumns } from './people-columns.ts';

/** Adds the command to `timeline`. */
export const addTimelineChanges = (group: Command, act: Act): void => {
  group
    .command('changes')
    .description('show who joined and who left between the two newest moments')
    .argument('<timeline>', whichTimeline)
    .option('--limit <number>', 'the number of people to show', wholeNumber, 20)
    .action(act(onProperty(changes)));
};

type Person = Item<'listSegmentProfiles'>;

interface Change {
  readonly change: 'joined' | 'left';
  readonly person: Person;
}

const columns: readonly Column<Change>[] = [
  { heading: '', cell: ({ change }) => change },
  ...peopleColumns.map(({ cell, ...column }) => ({
    ...column,
    cell: ({ person }: Change) => cell(person),
  })),
];

const changes = async (
  context: Connected,
  text: string,
  { limit }: { readonly limit: number },
): Promise<undefined> => {
  const path = { timeline_id: await findTimeline(context, text) };
  const { name, moments } = await newestMoments(context.client, path, 2);
  const [from, to] = moments;
  if (from === undefined || to === undefined) {
    throw new CommandFailure(
      `The timeline ${asName(name)} has one moment. Take another: tidemark timeline moment ${path.timeline_id}`,
    );
  }
  const found: Change[] = [];
  const query = { from: from.id, to: to.id, limit: Math.min(limit, PAGE) };
  for await (const { added, removed } of context.client.listTimelineChanges({ path, query })) {
    found.push(
      ...added.map((person) => ({ change: 'joined', person }) as const),
      ...removed.map((person) => ({ change: 'left', person }) as const),
    );
    if (found.length >= limit) break;
  }
  const people = found.slice(0, limit);
  const [joined, left] = [to.added ?? 0, to.removed ?? 0];
  context.show({ from, to, people }, () => [
    ...(people.length === 0 ? [] : context.table(columns, people)),
    `From ${moment(from.created_date)} to ${moment(to.created_date)}: ${count(joined)} joined, ${count(left)} left.`,
    ...(joined + left > people.length
      ? [`These are ${count(people.length)} of them; add --limit for more.`]
      : []),
  ]);
};

/** People that come with one request. */
const PAGE = 100;
