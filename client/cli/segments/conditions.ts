/** Makes the segments of conditions, and waits until the service has prepared them. */
import type { Tidemark } from '../../src/index.ts';
import { bodyOf } from '../bodies.ts';
import type { Connected } from '../context.ts';
import { printWhere } from '../expression/print-where.ts';
import { type ConditionPart, type Expression, quoted } from '../expression/types.ts';
import type { Where } from '../expression/where.ts';
import { CommandFailure, exitCodes, usageFailure } from '../failure.ts';
import { clip, counted, duration, plain } from '../terminal/text.ts';

/** Characters of a name. */
const NAME = 255;

/** The name of a condition to which nobody has given another: its words. */
export const nameOf = (where: Where): string => clip(plain(printWhere(where)), NAME);

/** The conditions of an expression, each once. */
export const conditionsIn = (expression: Expression): readonly ConditionPart[] => [
  ...new Map(partsOf(expression).map((part) => [printWhere(part.where), part])).values(),
];

const partsOf = (expression: Expression): readonly ConditionPart[] => {
  switch (expression.kind) {
    case 'segment':
      return [];
    case 'condition':
      return [expression];
    case 'not':
      return partsOf(expression.of);
    case 'all':
    case 'any':
      return expression.of.flatMap(partsOf);
  }
};

/**
 * Throws a failure if the words of a condition are the name of a segment, too: before there were conditions, they meant the
 * segment. `planned` has the names of segments that are to be made.
 */
export const requireOneMeaning = async (
  client: Tidemark,
  expression: Expression,
  planned: ReadonlySet<string> = new Set(),
): Promise<void> => {
  for (const { name } of conditionsIn(expression)) {
    if (name === undefined || !(planned.has(name) || (await isSegment(client, name)))) continue;
    const [field = ''] = /^[^\s<>=≤≥≠!]+/.exec(name) ?? [];
    const rest = name.slice(field.length);
    throw usageFailure(
      `There is a segment ${plain(quoted(name))}. Put it all into quotes to name the segment, or write ${plain(quoted(field) + rest)} for the condition.`,
    );
  }
};

const isSegment = async (client: Tidemark, name: string): Promise<boolean> => {
  for await (const segment of client.findSegments({ query: { name } }))
    if (segment.name === name && segment.type !== 'condition') return true;
  return false;
};

/** The segments by condition that the property has, by their words. */
export const knownConditions = async (client: Tidemark): Promise<ReadonlyMap<string, number>> => {
  const known = new Map<string, number>();
  for await (const { id } of client.findSegments({ query: { type: 'condition' } })) {
    const { where } = await client.getSegment({ path: { segment_id: id } });
    if (where !== undefined) known.set(printWhere(where), id);
  }
  return known;
};

/** A segment by condition as it was made, or as it was found. */
export interface Made {
  readonly id: number;
  readonly name: string;
}

/** Makes a segment by condition, or finds the one that its property has already. It may be in preparation. */
export const makeCondition = async (client: Tidemark, where: Where, name = nameOf(where)): Promise<Made> => {
  const { id, name: found } = await client.createSegment({ body: bodyOf('createSegment', { name, where }) });
  return { id, name: found };
};

/**
 * Makes the segments of conditions, and waits until all are prepared. Returns their ids by their words. After Ctrl-C the
 * service goes on, and the same command finds the segments again.
 */
export const makeConditions = async (
  context: Connected,
  conditions: readonly Where[],
): Promise<ReadonlyMap<string, number>> => {
  const ids = new Map<string, number>();
  for (const where of conditions) ids.set(printWhere(where), (await makeCondition(context.client, where)).id);
  await waitUntilReady(context, [...ids.values()]);
  return ids;
};

/** Waits until the service has prepared segments by condition, with a bar. */
export const waitUntilReady = async (context: Connected, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return;
  const { client, signal, surroundings } = context;
  const started = surroundings.now();
  const bar = context.bar('Prepare');
  const shares = new Map(ids.map((id) => [id, 0]));
  const wait = (segmentId: number): Promise<unknown> =>
    client.waitForSegment({
      segmentId,
      onProgress: ({ ready, progress }) => {
        shares.set(segmentId, ready === false ? (progress ?? 0) : 1);
        const done = [...shares.values()].filter((share) => share === 1).length;
        const share = [...shares.values()].reduce((sum, one) => sum + one, 0) / ids.length;
        bar.update({ share, text: `${done} of ${counted(ids.length, 'condition')}` });
      },
    });
  try {
    await Promise.all([...shares.keys()].map(wait));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandFailure(
      'The service goes on preparing the conditions. Run the same command again, and it goes on, too.',
      exitCodes.interrupted,
    );
  }
  bar.done(`${counted(ids.length, 'condition')} (${duration(surroundings.now() - started)})`);
};
