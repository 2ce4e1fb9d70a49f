/** Finds segments by the names that people use. */
import type { Tidemark } from '../../src/index.ts';
import type { Connected } from '../context.ts';
import { parseExpression } from '../expression/parse.ts';
import { printSegment } from '../expression/print.ts';
import { printWhere } from '../expression/print-where.ts';
import { type SegmentRef, type SegmentType, segmentTypes } from '../expression/types.ts';
import { CommandFailure } from '../failure.ts';
import { counted, plain } from '../terminal/text.ts';
import { knownConditions } from './conditions.ts';
import { nearSegments } from './near-segments.ts';

/** A segment as lists show it. */
export interface Segment {
  readonly id: number;
  readonly name: string;
  readonly type: SegmentType;
}

/** A segment in an argument: an id, a name, or a type and a name (`tag:Jazz`). */
export const segmentRef = (text: string): SegmentRef => {
  if (/^[1-9][0-9]{9,15}$/.test(text)) return { kind: 'id', id: Number(text) };
  const [, prefix = '', rest = ''] = /^([A-Za-z]+):(\S.*)$/.exec(text) ?? [];
  const type = segmentTypes.find((known) => known.toLowerCase() === prefix.toLowerCase());
  return type === undefined ? { kind: 'name', name: text } : { kind: 'name', name: rest, type };
};

/**
 * The segment that a name means. A name in the same case counts more than a name in another case. Throws a failure if there
 * is no such segment, with similar names or else with `hint`, or if there are several.
 */
export const findSegment = async (
  context: Connected,
  ref: SegmentRef,
  hint = 'See the segments: tidemark segments',
): Promise<Segment> => {
  const { client } = context;
  if (ref.kind === 'id') return getSegment(client, ref.id);
  const { name } = ref;
  const found = await segmentsNamed(client, ref);
  const exact = found.filter((segment) => segment.name === name);
  const candidates = exact.length > 0 ? exact : found;
  const [only, ...others] = candidates;
  if (only === undefined) {
    const condition = await conditionInWords(client, ref);
    if (condition === undefined) throw await unknownName(client, ref, hint);
    return condition;
  }
  if (others.length > 0) {
    throw new CommandFailure(
      `Several segments have the name ${printSegment({ kind: 'name', name })}; ${new Set(candidates.map((one) => one.type)).size > 1 ? 'add the type, or take the id' : 'take an id'}.`,
      1,
      candidates.map((segment) => `${plain(printSegment({ kind: 'name', ...segment }))}  ${segment.id}`),
    );
  }
  await tellNamesakes(
    context,
    found.filter((one) => one !== only),
  );
  return only;
};

/** The segments of a name. A condition that is not ready is found only where no other segment has the name. */
const segmentsNamed = async (
  client: Tidemark,
  { name, type }: SegmentRef & { readonly kind: 'name' },
): Promise<readonly Segment[]> => {
  const found = await listOf(client.findSegments({ query: { name, type } }));
  if (found.length > 0 || type !== undefined) return found;
  return listOf(client.findSegments({ query: { name, type: 'condition' } }));
};

/** The condition that a text means by its words, whatever its name is. */
const conditionInWords = async (
  client: Tidemark,
  { name, type }: SegmentRef & { readonly kind: 'name' },
): Promise<Segment | undefined> => {
  const parsed = parseExpression(name);
  if (type !== undefined || !parsed.ok || parsed.value.kind !== 'condition') return undefined;
  const id = (await knownConditions(client)).get(printWhere(parsed.value.where));
  return id === undefined ? undefined : getSegment(client, id);
};

const listOf = async (segments: AsyncIterable<Segment>): Promise<readonly Segment[]> => {
  const found: Segment[] = [];
  for await (const { id, name, type } of segments) found.push({ id, name, type });
  return found;
};

/** Namesakes that are named, with one request each. */
const NAMESAKES = 3;

/** Says which other segments have almost the same name: people see no difference, or hardly one. */
const tellNamesakes = async (context: Connected, namesakes: readonly Segment[]): Promise<void> => {
  for (const { id, name, type } of namesakes.slice(0, NAMESAKES)) {
    const { count } = await context.client.getSegment({ path: { segment_id: id } });
    const shown = printSegment({ kind: 'name', name, type });
    const people = count === null ? 'still being prepared' : counted(count, 'person', 'people');
    context.note(`There is also ${plain(shown)} (${people}).`);
  }
};

const getSegment = async (client: Tidemark, id: number): Promise<Segment> => {
  const { name, type } = await client.getSegment({ path: { segment_id: id } });
  return { id, name, type };
};

/** Segments that are compared with an unknown name: the largest, or before the first measurement the oldest. */
const COMPARED = 1_000;

const unknownName = async (
  client: Tidemark,
  ref: Extract<SegmentRef, { readonly kind: 'name' }>,
  hint: string,
): Promise<CommandFailure> => {
  const near = nearSegments(ref, await comparedSegments(client));
  const names = near.map(({ name }) => name.toLowerCase());
  const shown = near.map((segment) => {
    const { name, type, count } = segment;
    const isClear = ref.type === undefined && names.filter((one) => one === name.toLowerCase()).length === 1;
    const words = plain(printSegment({ kind: 'name', name, ...(isClear ? {} : { type }) }));
    return count === null ? words : `${words} (${counted(count, 'person', 'people')})`;
  });
  const failure = `There is no segment ${plain(printSegment(ref))}.`;
  return new CommandFailure(`${failure} ${shown.length === 0 ? plain(hint) : `Near: ${shown.join(', ')}`}`);
};

/** A segment with its size; null before the first measurement. */
interface CountedSegment extends Segment {
  readonly count: number | null;
}

const comparedSegments = async (client: Tidemark): Promise<readonly CountedSegment[]> => {
  const query = { limit: COMPARED };
  const { segments, as_of: asOf } = await client.listSegmentSizes({ query });
  if (asOf !== null) return segments;
  const oldest = await client.findSegments({ query });
  return oldest.map((segment) => ({ ...segment, count: null }));
};
