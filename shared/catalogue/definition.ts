/** Definitions: validates and measures the expressions of custom segments, and lists the ids in them. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { FaultCode } from '../http/fault-codes.ts';
import { described } from '../http/described.ts';
import { isObject } from '../http/json.ts';
import { rule } from '../http/rule.ts';
import { idSchema } from '../http/text.ts';
import { namedSegment, type NamedSegment, type PlacedRef } from './segment-refs.ts';
import type { SegmentExpression } from './types.ts';

/** What combinations are made of, or a combination of it. */
export type Combined<Leaf> =
  | Leaf
  | { readonly all: readonly Combined<Leaf>[] }
  | { readonly any: readonly Combined<Leaf>[] }
  | { readonly not: Combined<Leaf> };

/** A definition as a client sends it: names may stand where ids do. */
export type SentDefinition = Combined<number | { readonly named: NamedSegment }>;

/** Schemas by the keyword that an object must have to mean them. */
type ByKeyword<Meant> = Readonly<Record<string, v.GenericSchema<Meant>>>;

const allOf = 'Profiles that are in all of these.';
const anyOf = 'Profiles that are in at least one of these.';
const notIn = 'All other profiles of the property.';
const atLeastOne = 'Must hold at least one segment.';

/**
 * The schemas of combinations of ids and `leaves`, by keyword, and of the whole: `node`. It takes the schema for the shape
 * that a node seems to have, so that a fault points at its exact place. `strays` are keywords that belong elsewhere, with
 * schemas that refuse them and say so.
 */
export const formsOf = <Leaf>(leaves: ByKeyword<Leaf>, strays: ByKeyword<Leaf> = {}) => {
  type Node = Combined<number | Leaf>;
  const node: v.GenericSchema<Node> = v.lazy((input) => shapeOf(input));
  const nodes = v.pipe(v.array(node), v.minLength(1, atLeastOne));
  const all = v.strictObject({ all: described(allOf, nodes) });
  const any = v.strictObject({ any: described(anyOf, nodes) });
  const not = v.strictObject({ not: described(notIn, node) });
  const known: ByKeyword<Node> = { ...strays, ...leaves, all, any, not };
  const names = [...Object.keys(leaves), 'all', 'any'].join(', ');
  const either = v.union(
    [idSchema, ...Object.values(leaves), all, any, not],
    `Must be a segment id, or an object with ${names} or not.`,
  );
  const shapeOf = (input: unknown): v.GenericSchema<Node> => {
    if (typeof input === 'number') return idSchema;
    if (!isObject(input)) return either;
    const keyword = Object.keys(known).find((one) => one in input);
    return (keyword === undefined ? undefined : known[keyword]) ?? either;
  };
  return { node, all, any, not };
};

const refused = <Sent>(code: FaultCode, sentence: string): v.GenericSchema<Sent> =>
  v.pipe(
    v.custom<Sent>(() => true),
    rule(code, () => false, sentence),
  );

/** A segment by its type and name, where an id may stand. */
export const namedForm = v.strictObject({
  named: described('A segment by its type and name, in place of its id.', namedSegment),
});

const whereSentence =
  'A stored definition names segments only. Create a condition from this `where` by POST segments, and name it here.';

/** The schemas of a stored expression of any size. */
export const combinations = formsOf<never>({});
/** The schema of a stored expression of any size. */
export const expressionSchema: v.GenericSchema<SegmentExpression> = combinations.node;
/** What may stand in a definition as a client sends it, besides ids. */
export const sentForms = formsOf({ named: namedForm }, { where: refused('not_allowed', whereSentence) });

/** The number of nodes of an expression (ids and combinations), and the depth of its combinations. */
export interface ExpressionSize {
  readonly nodes: number;
  readonly levels: number;
}

/** The size of an expression, valid or not. Counting stops at `most` nodes. */
export const sizeOf = (input: unknown, most = Number.POSITIVE_INFINITY): ExpressionSize => {
  const left: { readonly value: unknown; readonly levels: number }[] = [{ value: input, levels: 0 }];
  let deepest = 0;
  let count = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    count += 1;
    const inner = partsOf(next.value);
    const levels = inner === undefined ? next.levels : next.levels + 1;
    deepest = Math.max(deepest, levels);
    if (count + left.length + (inner?.length ?? 0) > most) return { nodes: most + 1, levels: deepest };
    for (const value of inner ?? []) left.push({ value, levels });
  }
  return { nodes: count, levels: deepest };
};

const partsOf = (value: unknown): readonly unknown[] | undefined => {
  if (!isObject(value)) return undefined;
  if ('not' in value) return [value['not']];
  const parts: unknown = value['all'] ?? value['any'];
  return Array.isArray(parts) ? parts : undefined;
};

/** The fault of a definition with too many nodes, as sent or expanded. */
export const tooManyNodes = (most: number) => ({
  code: 'too_many_nodes' as const,
  detail: `Must not have more than ${most} nodes.`,
});

/** The fault of a definition that is nested too deep. */
export const tooDeep = (most: number) => ({
  code: 'too_deep' as const,
  detail: `Must not be nested deeper than ${most}.`,
});

const { definitionNodes, definitionDepth } = limits.segments;
const wide = tooManyNodes(definitionNodes);
const deep = tooDeep(definitionDepth);

/** The schema of a definition that is measured first, so that a huge one costs nothing. */
export const measured = <Sent>(node: v.GenericSchema<Sent>): v.GenericSchema<Sent> =>
  v.lazy((input) => {
    const size = sizeOf(input, definitionNodes);
    if (size.nodes > definitionNodes) return refused<Sent>(wide.code, wide.detail);
    return size.levels > definitionDepth ? refused<Sent>(deep.code, deep.detail) : node;
  });

/** The schema of a definition as a client sends it. */
export const definitionSchema: v.GenericSchema<SentDefinition> = measured(sentForms.node);

/** An id in a definition, and its path. */
export interface NamedId {
  readonly id: number;
  readonly path: readonly (string | number)[];
}

/** The ids in a definition, with duplicates. */
export const idsIn = (definition: SegmentExpression, path: NamedId['path'] = []): readonly NamedId[] => {
  if (typeof definition === 'number') return [{ id: definition, path }];
  if ('not' in definition) return idsIn(definition.not, [...path, 'not']);
  const [name, parts] = 'all' in definition ? ['all', definition.all] : ['any', definition.any];
  return parts.flatMap((part, index) => idsIn(part, [...path, name, index]));
};

/** The segments that a sent definition names, by id or name, with duplicates, in order. */
export const refsIn = (definition: SentDefinition, path: PlacedRef['path'] = []): readonly PlacedRef[] => {
  if (typeof definition === 'number') return [{ ref: definition, path }];
  if ('named' in definition) return [{ ref: definition.named, path: [...path, 'named'] }];
  if ('not' in definition) return refsIn(definition.not, [...path, 'not']);
  const [name, parts] = 'all' in definition ? ['all', definition.all] : ['any', definition.any];
  return parts.flatMap((part, index) => refsIn(part, [...path, name, index]));
};

/**
 * The definition with ids only: `ids` are those of `refsIn`, in the same order. A number for which `isKept` holds has none
 * there, and stays.
 */
export const withIds = (
  definition: SentDefinition,
  ids: readonly number[],
  isKept: (leaf: number) => boolean = () => false,
): SegmentExpression => {
  const rest = ids.values();
  const filled = (part: SentDefinition): SegmentExpression => {
    if (typeof part === 'number' && isKept(part)) return part;
    if (typeof part === 'number' || 'named' in part) return nextOf(rest);
    if ('not' in part) return { not: filled(part.not) };
    return 'all' in part ? { all: part.all.map(filled) } : { any: part.any.map(filled) };
  };
  return filled(definition);
};

const nextOf = (ids: Iterator<number, unknown>): number => {
  const next = ids.next();
  if (next.done === true) throw new Error('catalogue: a definition has more segments than ids');
  return next.value;
};

/**
 * Whether a profile is a member of an expression. `holds` tells whether it is in a segment; every profile is in
 * `everyone`.
 */
export const isIn = (expression: SegmentExpression, holds: (segment: number) => boolean): boolean => {
  if (typeof expression === 'number') return holds(expression);
  if ('all' in expression) return expression.all.every((part) => isIn(part, holds));
  if ('any' in expression) return expression.any.some((part) => isIn(part, holds));
  return !isIn(expression.not, holds);
};
