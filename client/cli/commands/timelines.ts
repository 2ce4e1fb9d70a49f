/** The commands of `timeline`. */
import type { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { type Answer, type Item, type Tidemark, TidemarkProblem } from '../../src/index.ts';
import { type Act, onProperty, wholeNumber } from '../actions.ts';
import { bodyOf } from '../bodies.ts';
import type { Connected, Context } from '../context.ts';
import { readSchedule, scheduleText } from '../exports/options.ts';
import { CommandFailure, exitCodes, type ExitCode, usageFailure, valueOf } from '../failure.ts';
import { findSegment, segmentRef } from '../segments/find.ts';
import { requireOutput } from '../exports/follow.ts';
import { paintWith } from '../terminal/paint.ts';
import { type Column, tableOf } from '../terminal/table.ts';
import { bytes, count, counted, moment, plain } from '../terminal/text.ts';
import { chartLines } from '../timelines/chart.ts';

const which = 'the name or the id of the timeline, or the segment that it tracks';

/** Adds the commands. */
export const addTimelines = (program: Command, act: Act): void => {
  const group = program.command('timeline').description('track a segment over time, and draw its chart');
  group
    .command('create')
    .description('track a segment; the first moment is taken at once')
    .argument('<segment>', 'its name, "type:name" or id')
    .option('--name <text>', 'the name of the timeline (default: the name of the segment)')
    .option(
      '--every <schedule>',
      'take further moments by schedule: "day 06:00", "mon 03:00 Europe/Berlin", "hour"',
    )
    .action(act(create));
  group
    .command('list')
    .description('list the timelines')
    .action(act(onProperty(list)));
  group
    .command('moment')
    .description('take a moment now, at most once an hour')
    .argument('<timeline>', which)
    .action(act(onProperty(takeMoment)));
  group
    .command('chart')
    .description('draw the members of a segment over time, in the terminal or as SVG')
    .argument('<timeline>', which)
    .option('--limit <number>', 'the number of moments: the newest', wholeNumber, 20)
    .option('--svg <file>', 'write the chart of the service to a file; "-" is standard output')
    .action(act(chart));
};

const create = async (
  context: Context,
  text: string,
  { name, every }: { readonly name?: string; readonly every?: string },
): Promise<undefined> => {
  const schedule = every === undefined ? undefined : valueOf(readSchedule(every));
  const connected = await context.connect();
  const segment = await findSegment(connected, segmentRef(text));
  const body = bodyOf('createTimeline', {
    name: name ?? segment.name,
    reference_tile: segment.id,
    ...(schedule === undefined ? {} : { schedule }),
  });
  const created = await connected.client.createTimeline({ body });
  context.show(created, () => [
    `The timeline "${plain(created.name)}" (${created.id}) has its first moment. Draw it: tidemark timeline chart ${created.id}`,
  ]);
};

const list = async (context: Connected): Promise<undefined> => {
  const timelines = await Array.fromAsync(context.client.listTimelines());
  const none = 'There are no timelines yet. Make one: tidemark timeline create <segment>';
  context.showList(timelines, columns, none);
};

const columns: readonly Column<Item<'listTimelines'>>[] = [
  { heading: 'Id', cell: ({ id }) => String(id) },
  { heading: 'Name', least: 8, cell: ({ name }) => name },
  { heading: 'Segment', cell: ({ reference_tile }) => String(reference_tile) },
  {
    heading: 'Moments come',
    cell: ({ schedule }) => (schedule === null ? 'on request' : scheduleText(schedule)),
  },
  { heading: 'Newest', cell: ({ moments }) => moment(moments.at(-1)?.created_date ?? null) },
];

/** The timeline with a name or an id, or else the only timeline of a segment. */
const findTimeline = async (context: Connected, text: string): Promise<number> => {
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
      tableOf(columns, found, paintWith(false)),
    );
  }
  return only.id;
};

const takeMoment = async (context: Connected, text: string): Promise<undefined> => {
  const id = await findTimeline(context, text);
  const taken = await context.client.createMoment({ path: { timeline_id: id } });
  context.show(taken, () => [`The moment "${plain(taken.name)}" is taken. Its id is ${taken.id}.`]);
};

interface ChartOptions {
  readonly limit: number;
  readonly svg?: string;
}

const chart = async (context: Context, text: string, { limit, svg }: ChartOptions): Promise<ExitCode> => {
  if (svg !== undefined) await requireOutput(context, svg);
  const connected = await context.connect();
  const { client } = connected;
  const path = { timeline_id: await findTimeline(connected, text) };
  if (svg !== undefined) {
    const drawing = await client.drawTimelineChart({ path, query: { limit } });
    if (svg === '-') {
      context.surroundings.stdout.write(drawing);
    } else {
      await writeFile(context.path(svg), drawing, { flag: 'wx' });
      context.show({ file: context.path(svg) }, () => [
        `${plain(svg)}: ${bytes(Buffer.byteLength(drawing))}`,
      ]);
    }
    return exitCodes.ok;
  }
  const { name, moments } = await newestMoments(client, path, limit);
  const width = context.surroundings.stdout.columns ?? 80;
  context.show({ name, moments }, () => [
    context.paint('bold', `${plain(name)}: ${counted(moments.at(-1)?.count ?? 0, 'person', 'people')}`),
    ...chartLines(moments, width, context.paint),
    ...(moments.length === limit ? [`The newest ${count(limit)} moments; add --limit for more.`] : []),
  ]);
  return exitCodes.ok;
};

type CountedTimeline = Answer<'getTimeline'>;

const newestMoments = async (
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
