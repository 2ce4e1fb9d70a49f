/** Finds timelines by what people call them, and reads their moments. */
import { type Answer, type Item, type Tidemark, TidemarkProblem } from '../../src/index.ts';
import type { Connected } from '../context.ts';
import { nextRunText, scheduleText } from '../exports/options.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { findSegment, segmentRef } from '../segments/find.ts';
import { paintWith } from '../terminal/paint.ts';
import { type Column, tableOf } from '../terminal/table.ts';
import { moment, plain } from '../terminal/text.ts';

/** How a command names a timeline. */
export const whichTimeline = 'the name or the id of the timeline, or the segment that it tracks';

/** The columns in which timelines are listed. */
export const timelineColumns: readonly Column<Item<'listTimelines'>>[] = [
  { heading: 'Id', cell: ({ id }) => String(id) },
  { heading: 'Name', least: 8, cell: ({ name }) => name },
  { heading: 'Segment', cell: ({ reference_tile }) => String(reference_tile) },
  {
    heading: 'Moments come',
    cell: ({ schedule }) => (schedule === null ? 'on request' : scheduleText(schedule)),
  },
  { heading: 'Next run', cell: ({ schedule, next_run }) => nextRunText(schedule, next_run) },
  { heading: 'Newest', cell: ({ moments }) => moment(moments.at(-1)?.created_date ?? null) },
];

/** The timeline with a name or an id, or else the only timeline of a segment. */
export const findTimeline = async (context: Connected, text: string): Promise<number> => {
  for await (const { id, name } of context.client.listTimelines())
    if (String(id) === text || name.toLowerCase() === text.toLowerCase()) return id;
  const segment = await findSegment(context, segmentRef(text)).catch((error: unknown) => {
    if (error instanceof CommandFailure || (error instanceof TidemarkProblem && error.status === 404))
      return undefined;
    throw error;
  });
  const found =
    segment === undefined
      ? []
      : await Array.fromAsync(context.client.listTimelines({ query: { reference_tile: segment.id } }));
  const [only, ...others] = found;
  if (only === undefined) {
    throw new CommandFailure(
      `There is no timeline "${plain(text)}". Make one: tidemark timeline create <segment>`,
    );
  }
  if (others.length > 0) {
    throw usageFailure(
      'Several timelines track this segment; take a name or an id.',
      tableOf(timelineColumns, found, paintWith(false)),
    );
  }
  return only.id;
};

type CountedTimeline = Answer<'getTimeline'>;

/** The name of a timeline, and its newest moments, the oldest of these first. */
export const newestMoments = async (
  client: Tidemark,
  path: { readonly timeline_id: number },
  limit: number,
): Promise<Pick<CountedTimeline, 'name' | 'moments'>> => {
  const moments: CountedTimeline['moments'][number][] = [];
  let name = '';
  for await (const page of client.getTimeline({ path }).pages()) {
    ({ name } = page);
    moments.push(...page.moments);
  }
  return { name, moments: moments.slice(-limit) };
};
