/** The commands `segments` and `segment`. */
import { type Command, Option } from 'commander';
import type { Item, Tidemark } from '../../src/index.ts';
import { type Act, onProperty, wholeNumber } from '../actions.ts';
import { bodyOf } from '../bodies.ts';
import type { Connected, Context } from '../context.ts';
import { parseExpression, underline } from '../expression/parse.ts';
import { printExpression } from '../expression/print.ts';
import { type Expression, type SegmentType, segmentTypes } from '../expression/types.ts';
import { CommandFailure, exitCodes, type ExitCode, usageFailure } from '../failure.ts';
import { definitionOf, expressionOf, findSegment, segmentRef } from '../segments/find.ts';
import { segmentTree, type SizedSegment } from '../segments/tree.ts';
import { type Column, treeOf } from '../terminal/table.ts';
import { addErasures } from './erasures.ts';
import { count, counted, moment, plain } from '../terminal/text.ts';

/** Adds the commands. */
export const addSegments = (program: Command, act: Act): void => {
  program
    .command('segments')
    .description('list the segments with their sizes; moments of timelines only with --type moment')
    .addOption(
      new Option('--by <order>', 'sort by size or by name').choices(['size', 'name']).default('size'),
    )
    .option('--tree', 'sort them into a tree of places, age bands, tags …')
    .addOption(new Option('--type <type>', 'only segments of one type').choices(segmentTypes))
    .option('--limit <number>', 'the number of segments (default: 50; a tree and JSON have all)', wholeNumber)
    .action(act(onProperty(listSegments)));
  const segment = program
    .command('segment')
    .description('create, show or delete a segment, list its people, or forget them');
  segment
    .command('create')
    .description('create a segment from an expression in words')
    .argument('<name>', 'the name of the new segment')
    .argument('<expression>', 'the people in it, for example: \'Jazz and not "Age: 65+"\'')
    .option('--preview', 'only count the people, and create nothing')
    .addHelpText('after', expressionHelp)
    .action(act(create));
  segment
    .command('show')
    .description('show a segment with its exact number of people')
    .argument('<segment>', 'its name, "type:name" or id')
    .action(act(onProperty(show)));
  segment
    .command('people')
    .description('list people of a segment')
    .argument('<segment>', 'its name, "type:name" or id')
    .option('--limit <number>', 'the number of people', wholeNumber, 20)
    .action(act(onProperty(listPeople)));
  segment
    .command('delete')
    .description('delete a segment that nothing uses')
    .argument('<segment>', 'its name, "type:name" or id')
    .option('-y, --yes', 'delete without a question')
    .action(act(onProperty(remove)));
  addErasures(program, segment, act);
};

const expressionHelp = `
An expression combines segments with "and", "or", "not" and parentheses. "not" binds closest, then
"and", then "or". Write a name as it is, or in quotes if it has signs or one of these words in it.
If several segments share a name, put the type in front: tag:Jazz. An id works, too.

Examples:
  tidemark segment create "Jazz, under 65" 'Jazz and not "Age: 65+"'
  tidemark segment create "Music" '(tag:Jazz or tag:Kammermusik) and "email: given"' --preview`;

/** The size of a segment; one that is being prepared has none yet. */
const sizeOf = (size: number | null): string => (size === null ? 'not counted yet' : count(size));

const peopleIn = (size: number | null): string =>
  size === null ? 'people who are not counted yet' : counted(size, 'person', 'people');

interface ListOptions {
  readonly by: 'size' | 'name';
  readonly tree?: boolean;
  readonly type?: SegmentType;
  readonly limit?: number;
}

const LISTED = 50;

const listSegments = async (context: Connected, options: ListOptions): Promise<undefined> => {
  const most = options.limit ?? (context.json || options.tree ? Infinity : LISTED);
  const { segments, asOf } = await sized(context.client, options.type);
  // Each timeline adds a moment a day, and they would soon hide the segments of people.
  const wanted = context.json || options.type !== undefined ? segments : segments.filter(isNoMoment);
  const moments = segments.length - wanted.length;
  const sorted =
    options.by === 'name' ? wanted.toSorted((one, two) => one.name.localeCompare(two.name)) : wanted;
  const shown = sorted.slice(0, most);
  context.show({ segments: shown, as_of: asOf }, () => [
    ...(options.tree ? treeOf(segmentTree(shown), context.paint) : context.table(segmentColumns, shown)),
    ...(sorted.length > shown.length
      ? [`… and ${count(sorted.length - shown.length)} more; add --limit.`]
      : []),
    ...(moments > 0 ? [`${counted(moments, 'moment')} of timelines: tidemark segments --type moment`] : []),
    asOf === null ? 'The first measurement of the sizes comes within minutes.' : `Sizes of ${moment(asOf)}.`,
  ]);
};

const isNoMoment = ({ type }: SizedSegment): boolean => type !== 'moment';

const segmentColumns: readonly Column<SizedSegment>[] = [
  { heading: 'People', align: 'right', cell: ({ count: size }) => (size === null ? '–' : count(size)) },
  { heading: 'Type', cell: ({ type }) => type.toLowerCase() },
  { heading: 'Name', least: 12, cell: ({ name }) => name },
  { heading: 'Id', cell: ({ id }) => String(id) },
];

interface Sized {
  readonly segments: readonly SizedSegment[];
  readonly asOf: string | null;
}

/** All segments, the largest first; before the first measurement, in the order of their creation. */
const sized = async (client: Tidemark, type: SegmentType | undefined): Promise<Sized> => {
  const segments: SizedSegment[] = [];
  let asOf: string | null = null;
  for await (const page of client.listSegmentSizes().pages()) {
    asOf = page.as_of;
    segments.push(...page.segments.filter((segment) => type === undefined || segment.type === type));
  }
  if (asOf === null) {
    for await (const segment of client.findSegments({ query: { type } }))
      segments.push({ ...segment, count: null });
  }
  return { segments, asOf };
};

const parsed = (text: string): Expression => {
  const result = parseExpression(text);
  if (result.ok) return result.value;
  const { message, at } = result.error;
  throw usageFailure(message, plainLines(underline(text, at)));
};

const plainLines = (text: string): readonly string[] => text.split('\n').map(plain);

const create = async (
  context: Context,
  name: string,
  text: string,
  { preview }: { readonly preview?: boolean },
): Promise<ExitCode> => {
  const expression = parsed(text);
  const connected = await context.connect();
  const { client } = connected;
  const definition = await definitionOf(connected, expression);
  if (preview) {
    const { count: people = 0, as_of } = await client.previewSegment({ body: { definition } });
    context.show({ name, definition, count: people, as_of }, () => [
      `${counted(people, 'person', 'people')} would be in it. Nothing was created.`,
    ]);
    return exitCodes.ok;
  }
  await requireFreeName(client, name);
  const created = await client.createSegment({ body: bodyOf('createSegment', { name, definition }) });
  const { count: people } = await client.getSegment({ path: { segment_id: created.id } });
  context.show({ ...created, count: people }, () => [
    `"${plain(name)}" has ${peopleIn(people)}. Its id is ${created.id}.`,
  ]);
  return exitCodes.ok;
};

/** Throws a failure if a segment of a user has the name: names of two such segments cannot be told apart. */
const requireFreeName = async (client: Tidemark, name: string): Promise<void> => {
  for await (const segment of client.findSegments({ query: { name, type: 'custom' } })) {
    if (segment.name !== name) continue;
    throw new CommandFailure(
      `There is a segment "${plain(name)}" already (${segment.id}); choose another name, or delete it first.`,
    );
  }
};

const show = async (context: Connected, text: string): Promise<undefined> => {
  const { id } = await findSegment(context, segmentRef(text));
  const segment = await context.client.getSegment({ path: { segment_id: id } });
  const { definition, replaced_by } = segment;
  const words =
    definition === undefined ? undefined : printExpression(await expressionOf(context.client, definition));
  context.show(words === undefined ? segment : { ...segment, expression: words }, () =>
    context.facts([
      ['id', String(id)],
      ['name', segment.name],
      ['type', segment.type.toLowerCase()],
      ['people', `${sizeOf(segment.count)} at ${moment(segment.as_of)}`],
      ...(words === undefined ? [] : [['definition', words] as const]),
      ...(segment.created === undefined ? [] : [['created', moment(segment.created)] as const]),
      ...(typeof replaced_by === 'number' ? [['replaced by', String(replaced_by)] as const] : []),
    ]),
  );
};

const listPeople = async (
  context: Connected,
  text: string,
  { limit }: { readonly limit: number },
): Promise<undefined> => {
  const { id, name } = await findSegment(context, segmentRef(text));
  const path = { segment_id: id };
  const { count: all } = await context.client.getSegment({ path });
  const people: Item<'listSegmentProfiles'>[] = [];
  for await (const one of context.client.listSegmentProfiles({
    path,
    query: { limit: Math.min(limit, PAGE) },
  })) {
    people.push(one);
    if (people.length === limit) break;
  }
  context.show({ segment: id, count: all, people }, () => [
    ...(people.length === 0 ? [] : context.table(peopleColumns, people)),
    `${count(people.length)} of ${peopleIn(all)} in "${plain(name)}".`,
  ]);
};

/** People that come with one request. */
const PAGE = 100;

const peopleFields = ['first_name', 'last_name', 'email', 'unique_id', 'phone_number', 'city'] as const;
const peopleColumns = peopleFields.map((heading) => ({
  heading,
  least: 8,
  cell: (person: Item<'listSegmentProfiles'>) => person[heading] ?? '',
}));

const remove = async (
  context: Connected,
  text: string,
  { yes }: { readonly yes?: boolean },
): Promise<ExitCode | undefined> => {
  const { id, name } = await findSegment(context, segmentRef(text));
  if (!yes && !(await context.confirm(`Delete the segment "${plain(name)}" (${id})?`)))
    return exitCodes.failed;
  await context.client.deleteSegment({ path: { segment_id: id } });
  context.show({ id, deleted: true }, () => [`The segment "${plain(name)}" is deleted.`]);
};
