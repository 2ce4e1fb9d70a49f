/** Turns expressions into definitions of the API, and definitions into expressions. */
import type { Tidemark } from '../../src/index.ts';
import type { Connected } from '../context.ts';
import { printWhere } from '../expression/print-where.ts';
import type { Expression } from '../expression/types.ts';
import type { Where } from '../expression/where.ts';
import { CommandFailure } from '../failure.ts';
import { unlessMissing } from '../problems.ts';
import { nameOf } from './conditions.ts';
import { findSegment } from './find.ts';

/** A definition of the API: ids in combinations. In a preview, conditions may stand in place of ids. */
export type Definition =
  | number
  | { readonly where: Where }
  | { readonly all: readonly Definition[] }
  | { readonly any: readonly Definition[] }
  | { readonly not: Definition };

/** The definition of an expression: each name becomes the id of its segment, and conditions stay. */
export const definitionOf = async (context: Connected, expression: Expression): Promise<Definition> => {
  switch (expression.kind) {
    case 'segment':
      return (await findSegment(context, expression.segment, expression.noCondition)).id;
    case 'condition':
      return { where: expression.where };
    case 'not':
      return { not: await definitionOf(context, expression.of) };
    case 'all':
    case 'any': {
      const parts: Definition[] = [];
      for (const part of expression.of) parts.push(await definitionOf(context, part));
      return expression.kind === 'all' ? { all: parts } : { any: parts };
    }
  }
};

/** A definition with the ids of its conditions, which `ids` has by their words. A condition that it lacks stays. */
export const withIds = (definition: Definition, ids: ReadonlyMap<string, number>): Definition => {
  const of = (part: Definition): Definition => withIds(part, ids);
  if (typeof definition === 'number') return definition;
  if ('where' in definition) return ids.get(printWhere(definition.where)) ?? definition;
  if ('not' in definition) return { not: of(definition.not) };
  return 'all' in definition ? { all: definition.all.map(of) } : { any: definition.any.map(of) };
};

const nowhere = { start: 0, end: 0 };

/** The expression of a definition, with names in place of ids. A deleted segment keeps its id. */
export const expressionOf = async (client: Tidemark, definition: unknown): Promise<Expression> => {
  const of = (part: unknown): Promise<Expression> => expressionOf(client, part);
  if (typeof definition === 'number') return partOf(client, definition);
  const [[kind, parts] = []] = Object.entries(definition ?? {});
  if (kind === 'not') return { kind, of: await of(parts) };
  if ((kind === 'all' || kind === 'any') && Array.isArray(parts)) {
    const expressions: Expression[] = [];
    for (const part of parts) expressions.push(await of(part));
    const [only, ...others] = expressions;
    return only !== undefined && others.length === 0 ? only : { kind, of: expressions };
  }
  throw new CommandFailure('This definition is of a newer version of the service.');
};

/** A segment by its name. A condition that nobody has given another name is shown in its words. */
const partOf = async (client: Tidemark, id: number): Promise<Expression> => {
  const at = nowhere;
  const found = await unlessMissing(client.getSegment({ path: { segment_id: id } }));
  if (!found) return { kind: 'segment', segment: { kind: 'id', id }, at };
  const { name, type, where } = found;
  if (where !== undefined && name === nameOf(where)) return { kind: 'condition', where, at };
  const namesakes = await client.findSegments({ query: { name } });
  const segment =
    namesakes.length === 1 ? ({ kind: 'name', name } as const) : ({ kind: 'name', name, type } as const);
  return { kind: 'segment', segment, at };
};
