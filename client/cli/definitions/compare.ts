/** Compares definitions of a file with the service, and brings the service to them. */
import type { Answer } from '../../src/index.ts';
import { isRecord } from '../../src/json.ts';
import type { Connected } from '../context.ts';
import { bodyOf } from '../bodies.ts';
import { readSchedule } from '../exports/options.ts';
import { parseExpression } from '../expression/parse.ts';
import { printWhere } from '../expression/print-where.ts';
import type { Expression } from '../expression/types.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { conditionsIn, requireOneMeaning } from '../segments/conditions.ts';
import { type Definition, definitionOf, withIds } from '../segments/definition.ts';
import { findSegment, segmentRef } from '../segments/find.ts';
import { type Difference, differencesOf } from '../../src/difference.ts';
import type { Definitions, Kind } from './documents.ts';

/** One definition of the file compared with the service. */
export interface Step {
  /** Conditions are parts of segments. */
  readonly kind: Kind | 'conditions';
  readonly name: string;
  readonly action: 'create' | 'change' | 'keep';
  readonly differences: readonly Difference[];
}

/** A definition that is to be made or changed, and the call that does it. */
interface Comparison extends Step {
  readonly write: () => Promise<unknown>;
}

/**
 * Names segments for the definitions of one call. While planning, segments that are to be made or changed have no id yet:
 * their names stand for them.
 */
export interface Names {
  readonly pending: Set<string>;
  /** The segments of the conditions that are made already, by their words. */
  readonly conditions: ReadonlyMap<string, number>;
  readonly context: Connected;
}

const segmentId = async ({ pending, context }: Names, text: string): Promise<number | string> =>
  pending.has(text) ? text : (await findSegment(context, segmentRef(text))).id;

const step = (
  kind: Kind,
  name: string,
  differences: readonly Difference[] | undefined,
  write: () => Promise<unknown>,
): Comparison => ({
  kind,
  name,
  action: actionOf(differences),
  differences: differences ?? [],
  write,
});

const actionOf = (differences: readonly Difference[] | undefined): Step['action'] => {
  if (differences === undefined) return 'create';
  return differences.length === 0 ? 'keep' : 'change';
};

/** The expression of a segment in a file. Throws a failure if its text is none. */
export const expressionIn = ({ name, expression: text }: Definitions['segments'][number]): Expression => {
  const parsed = parseExpression(text);
  if (parsed.ok) return parsed.value;
  throw usageFailure(`segments: "${name}": ${parsed.error.message}`);
};

/** Compares a segment. Its definition has ids, so that a renamed brand is no change. */
export const compareSegment = async (
  names: Names,
  segment: Definitions['segments'][number],
): Promise<Comparison> => {
  const { context, conditions, pending } = names;
  const { client } = context;
  const { name } = segment;
  const expression = expressionIn(segment);
  await requireOneMeaning(client, expression, pending);
  if (await isCondition(names, name, expression)) return step('segments', name, [], () => Promise.resolve());
  const isPending =
    hasName(expression, pending) ||
    conditionsIn(expression).some(({ where }) => !conditions.has(printWhere(where)));
  const definition: Definition | string = isPending
    ? segment.expression
    : withIds(await definitionOf(context, expression), conditions);
  const body = { name, definition };
  const found = await only('segments', name, client.findSegments({ query: { name, type: 'custom' } }));
  if (found === undefined) {
    return step('segments', name, undefined, () =>
      client.createSegment({ body: bodyOf('createSegment', body) }),
    );
  }
  const path = { segment_id: found.id };
  const is = await client.getSegment({ path });
  return step('segments', name, differencesOf(body, is), () =>
    client.replaceSegment({ path, body: bodyOf('createSegment', body) }),
  );
};

/** Whether a segment is one condition, and exists under its name. Throws a failure if another condition has the name. */
const isCondition = async (
  { context: { client }, conditions }: Names,
  name: string,
  expression: Expression,
): Promise<boolean> => {
  const found = await only('segments', name, client.findSegments({ query: { name, type: 'condition' } }));
  if (found === undefined) return false;
  if (expression.kind === 'condition' && conditions.get(printWhere(expression.where)) === found.id)
    return true;
  throw new CommandFailure(
    `segments: the service has "${name}" with another condition (${found.id}); rename or delete it, or choose another name.`,
  );
};

const hasName = (expression: Expression, wanted: ReadonlySet<string>): boolean => {
  switch (expression.kind) {
    case 'segment':
      return expression.segment.kind === 'name' && wanted.has(expression.segment.name);
    case 'condition':
      return false;
    case 'not':
      return hasName(expression.of, wanted);
    case 'all':
    case 'any':
      return expression.of.some((part) => hasName(part, wanted));
  }
};

/** Compares an import definition. */
export const compareImport = async (
  { context: { client } }: Names,
  body: Definitions['imports'][number],
): Promise<Comparison> => {
  const is = await only('imports', body.name, client.listImports({ query: { name: body.name } }));
  if (is === undefined) {
    return step('imports', body.name, undefined, () =>
      client.createImport({ body: bodyOf('createImport', body) }),
    );
  }
  // Members that the file does not have stay as they are.
  return step('imports', body.name, differencesOf(body, is), () =>
    client.replaceImport({
      path: { import_id: is.id },
      body: bodyOf('replaceImport', { ...is, ...body }),
    }),
  );
};

/** Compares an export. A new export is stored, and not run. */
export const compareExport = async (
  names: Names,
  { segments = [], every, ...rest }: Definitions['exports'][number],
): Promise<Comparison> => {
  const { client } = names.context;
  const ids: (number | string)[] = [];
  for (const text of segments) ids.push(await segmentId(names, text));
  const body = {
    ...rest,
    ...(ids.length === 0 ? {} : { segment: ids }),
    ...(every === undefined ? {} : { schedule: scheduleOf('exports', rest.name, every) }),
  };
  const is = await only('exports', rest.name, client.listExports());
  if (is === undefined) {
    return step('exports', rest.name, undefined, () =>
      client.createExport({ body: bodyOf('createExport', { start: false, ...body }) }),
    );
  }
  const path = { export_id: is.id };
  return step('exports', rest.name, differencesOf(withoutSecrets(body), is), () =>
    client.replaceExport({ path, body: bodyOf('replaceExport', { ...is, ...body, ...changesIn(rest, is) }) }),
  );
};

/** The receiver of changes with its present settings where the file does not say otherwise. */
const changesIn = (
  { changes }: Readonly<Record<string, unknown>>,
  is: Pick<Answer<'getExport'>, 'changes'>,
): { readonly changes?: unknown } => (isRecord(changes) ? { changes: { ...is.changes, ...changes } } : {});

/** The service never shows a secret, so a secret cannot be compared. */
const withoutSecrets = (body: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (secrets.has(key) ? undefined : value)));

const secrets = new Set(['private_key', 'password', 'start']);

/** Compares a timeline, of which nothing but the name can change later. */
export const compareTimeline = async (
  names: Names,
  { name, segment, every, comments }: Definitions['timelines'][number],
): Promise<Comparison> => {
  const { client } = names.context;
  const body = {
    name,
    reference_tile: await segmentId(names, segment),
    ...(every === undefined ? {} : { schedule: scheduleOf('timelines', name, every) }),
  };
  const is = await only('timelines', name, client.listTimelines({ query: { name } }));
  if (is === undefined) {
    return step('timelines', name, undefined, () =>
      client.createTimeline({
        body: bodyOf('createTimeline', comments === undefined ? body : { ...body, comments }),
      }),
    );
  }
  return step('timelines', name, differencesOf(body, is), () => {
    throw new CommandFailure(
      `The timeline "${name}" cannot get another segment or schedule; give the new timeline another name.`,
    );
  });
};

const scheduleOf = (kind: Kind, name: string, every: string) => {
  const schedule = readSchedule(every);
  if (!schedule.ok) throw usageFailure(`${kind}: "${name}": ${schedule.error}`);
  return schedule.value;
};

/** The only item of a list that has a name. Throws a failure if several have it. */
const only = async <Item extends { readonly name: string | null }>(
  kind: Kind,
  name: string,
  items: AsyncIterable<Item>,
): Promise<Item | undefined> => {
  const found: Item[] = [];
  for await (const item of items) if (item.name === name) found.push(item);
  if (found.length > 1) {
    throw new CommandFailure(
      `${kind}: the service has ${found.length} with the name "${name}"; delete or rename the others.`,
    );
  }
  return found[0];
};
