/** The commands of `timeline`. */
import type { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { type Act, onProperty, wholeNumber } from '../actions.ts';
import { bodyOf } from '../bodies.ts';
import type { Connected, Context } from '../context.ts';
import { readSchedule } from '../exports/options.ts';
import { exitCodes, type ExitCode, valueOf } from '../failure.ts';
import { findSegment, segmentRef } from '../segments/find.ts';
import { requireOutput } from '../exports/follow.ts';
import { outputWidth } from '../surroundings.ts';
import { asName, bytes, count, counted, plain } from '../terminal/text.ts';
import { chartLines } from '../timelines/chart.ts';
import { findTimeline, newestMoments, timelineColumns, whichTimeline } from '../timelines/find.ts';
import { addTimelineChanges } from './timeline-changes.ts';

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
    .argument('<timeline>', whichTimeline)
    .action(act(onProperty(takeMoment)));
  group
    .command('chart')
    .description('draw the members of a segment over time, in the terminal or as SVG')
    .argument('<timeline>', whichTimeline)
    .option('--limit <number>', 'the number of moments: the newest', wholeNumber, 20)
    .option('--svg <file>', 'write the chart of the service to a file; "-" is standard output')
    .action(act(chart));
  addTimelineChanges(group, act);
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
    `The timeline ${asName(created.name)} (${created.id}) has its first moment. Draw it: tidemark timeline chart ${created.id}`,
  ]);
};

const list = async (context: Connected): Promise<undefined> => {
  const timelines = await Array.fromAsync(context.client.listTimelines());
  const none = 'There are no timelines yet. Make one: tidemark timeline create <segment>';
  context.showList(timelines, timelineColumns, none);
};

const takeMoment = async (context: Connected, text: string): Promise<undefined> => {
  const id = await findTimeline(context, text);
  const taken = await context.client.createMoment({ path: { timeline_id: id } });
  context.show(taken, () => [`The moment ${asName(taken.name)} is taken. Its id is ${taken.id}.`]);
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
  const width = outputWidth(context.surroundings.stdout, 80);
  context.show({ name, moments }, () => [
    context.paint('bold', `${plain(name)}: ${counted(moments.at(-1)?.count ?? 0, 'person', 'people')}`),
    ...chartLines(moments, width, context.paint),
    ...(moments.length === limit ? [`The newest ${count(limit)} moments; add --limit for more.`] : []),
  ]);
  return exitCodes.ok;
};
