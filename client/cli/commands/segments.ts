/** The commands `segments` and `segment`. */
import { type Command, Option } from 'commander';
import type { Answer, Tidemark } from '../../src/index.ts';
import { type Act, onProperty, wholeNumber } from '../actions.ts';
import type { Connected } from '../context.ts';
import { printExpression } from '../expression/print.ts';
import { printWhere } from '../expression/print-where.ts';
import { type SegmentType, segmentTypes } from '../expression/types.ts';
import { exitCodes, type ExitCode } from '../failure.ts';
import { expressionOf } from '../segments/definition.ts';
import { findSegment, segmentRef } from '../segments/find.ts';
import { segmentTree, type SizedSegment } from '../segments/tree.ts';
import { type Column, treeOf } from '../terminal/table.ts';
import { addErasures } from './erasures.ts';
import { chosenColumns, type Person } from './people-columns.ts';
import { addSegmentCreate } from './segment-create.ts';
import { count, counted, moment, percent, asName } from '../terminal/text.ts';

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
  addSegmentCreate(segment, act);
  segment
    .command('show')
    .description('show a segment with its exact number of people')
    .argument('<segment>', 'its name, "type:name" or id')
    .action(act(onProperty(show)));
  segment
    .command('people')
    .description('list people of a segment')
    .argument('<segment>', 'its name, "type:name" or id')
    .option('--columns <fields>', 'the columns: email,city=Ort,tags,consent.email,extra_data.Umsatz')
    .option('--limit <number>', 'the number of people', wholeNumber, 20)
    .addHelpText('after', peopleHelp)
    .action(act(onProperty(listPeople)));
  segment
    .command('delete')
    .description('delete a segment that nothing uses')
    .argument('<segment>', 'its name, "type:name" or id')
    .option('-y, --yes', 'delete without a question')
    .action(act(onProperty(remove)));
  addErasures(program, segment, act);
};

const peopleHelp = `
People in a file are an export, so that the service knows who got the data:
  tidemark export create --segment Jazz --columns email,first_name --output jazz.csv`;

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

/** The name of a segment, and how far a condition is prepared. */
const labelOf = ({ name, progress }: SizedSegment): string =>
  progress === undefined ? name : `${name} (being prepared: ${percent(progress)})`;

const segmentColumns: readonly Column<SizedSegment>[] = [
  { heading: 'People', align: 'right', cell: ({ count: size }) => (size === null ? '–' : count(size)) },
  { heading: 'Type', cell: ({ type }) => type.toLowerCase() },
  { heading: 'Name', least: 12, cell: labelOf },
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
  const known = new Set(segments.map(({ id }) => id));
  if (type === undefined || type === 'condition') segments.push(...(await unmeasured(client, known)));
  if (type === undefined || type === 'custom') segments.push(...(await newCustoms(client, known)));
  return { segments, asOf };
};

/** Conditions that are looked at for their progress, with one request each. */
const LOOKED_AT = 20;

/** The conditions that are not in a list: they are new, or still being prepared. */
const unmeasured = async (client: Tidemark, known: ReadonlySet<number>): Promise<readonly SizedSegment[]> => {
  const found: SizedSegment[] = [];
  for await (const segment of client.findSegments({ query: { type: 'condition', order: 'newest' } })) {
    if (known.has(segment.id)) continue;
    const { count: people, ready, progress } = await client.getSegment({ path: { segment_id: segment.id } });
    found.push({ ...segment, count: people, ...(ready === false ? { progress: progress ?? 0 } : {}) });
    if (found.length === LOOKED_AT) break;
  }
  return found;
};

/** The combinations that were made since the last measurement. Their people are not counted: that may be expensive. */
const newCustoms = async (client: Tidemark, known: ReadonlySet<number>): Promise<readonly SizedSegment[]> => {
  const found: SizedSegment[] = [];
  for await (const segment of client.findSegments({ query: { type: 'custom', order: 'newest' } })) {
    if (known.has(segment.id)) break;
    found.push({ ...segment, count: null });
  }
  return found;
};

const show = async (context: Connected, text: string): Promise<undefined> => {
  const { id } = await findSegment(context, segmentRef(text));
  const segment = await context.client.getSegment({ path: { segment_id: id } });
  const { replaced_by } = segment;
  const words = await wordsOf(context.client, segment);
  context.show(words === undefined ? segment : { ...segment, expression: words }, () =>
    context.facts([
      ['id', String(id)],
      ['name', segment.name],
      ['type', segment.type.toLowerCase()],
      ['people', peopleText(segment)],
      ...(words === undefined ? [] : [[segment.where ? 'condition' : 'definition', words] as const]),
      ...(segment.created === undefined ? [] : [['created', moment(segment.created)] as const]),
      ...(typeof replaced_by === 'number' ? [['replaced by', String(replaced_by)] as const] : []),
    ]),
  );
};

type Shown = Answer<'getSegment'>;

/** The rule of a segment in words; `undefined` for a segment of a value. */
const wordsOf = async (client: Tidemark, { definition, where }: Shown): Promise<string | undefined> => {
  if (where !== undefined) return printWhere(where);
  return definition === undefined ? undefined : printExpression(await expressionOf(client, definition));
};

const peopleText = ({ count: people, as_of, progress = 0 }: Shown): string =>
  people === null
    ? `not counted yet: the condition is being prepared (${percent(progress)})`
    : `${count(people)} at ${moment(as_of)}`;

const listPeople = async (
  context: Connected,
  text: string,
  { limit, columns: wanted }: { readonly limit: number; readonly columns?: string },
): Promise<undefined> => {
  const { columns, include } = chosenColumns(wanted);
  const { id, name } = await findSegment(context, segmentRef(text));
  const path = { segment_id: id };
  const { count: all } = await context.client.getSegment({ path });
  const people: Person[] = [];
  const query = { limit: Math.min(limit, PAGE), ...(include.length > 0 && { include }) };
  for await (const one of context.client.listSegmentProfiles({ path, query })) {
    people.push(one);
    if (people.length === limit) break;
  }
  context.show({ segment: id, count: all, people }, () => [
    ...(people.length === 0 ? [] : context.table(columns, people)),
    `${count(people.length)} of ${counted(all ?? 0, 'person', 'people')} in ${asName(name)}.` +
      (people.length === limit && (all ?? 0) > limit ? ' Add --limit for more.' : ''),
  ]);
};

/** People that come with one request. */
const PAGE = 100;

const remove = async (
  context: Connected,
  text: string,
  { yes }: { readonly yes?: boolean },
): Promise<ExitCode | undefined> => {
  const { id, name } = await findSegment(context, segmentRef(text));
  if (!yes && !(await context.confirm(`Delete the segment ${asName(name)} (${id})?`)))
    return exitCodes.failed;
  await context.client.deleteSegment({ path: { segment_id: id } });
  context.show({ id, deleted: true }, () => [`The segment ${asName(name)} is deleted.`]);
};
