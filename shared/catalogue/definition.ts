/** Definitions: validates and measures the expressions of custom segments, and lists the ids in them. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { isObject } from '../http/json.ts';
import { rule } from '../http/rule.ts';
import { idSchema } from '../http/text.ts';
import type { SegmentExpression } from './types.ts';

const node: v.GenericSchema<SegmentExpression> = v.lazy((input) => shapeOf(input));
const nodes = v.pipe(v.array(node), v.minLength(1));
const all = v.strictObject({ all: nodes });
const any = v.strictObject({ any: nodes });
const not = v.strictObject({ not: node });
const either = v.union([idSchema, all, any, not], 'Must be a segment id, or an object with all, any or not.');

/** The schema for the shape that a node seems to have, so that a fault points at its exact place. */
const shapeOf = (input: unknown): v.GenericSchema<SegmentExpression> => {
  if (typeof input === 'number') return idSchema;
  if (!isObject(input)) return either;
  if ('all' in input) return all;
  if ('any' in input) return any;
  return 'not' in input ? not : either;
};

/** The schema of an expression of any size. */
export const expressionSchema: v.GenericSchema<SegmentExpression> = node;

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

const refused = (code: string, sentence: string): v.GenericSchema<SegmentExpression> =>
  v.pipe(
    v.custom<SegmentExpression>(() => true),
    rule(code, () => false, sentence),
  );

/** The fault of a definition with too many nodes, as sent or expanded. */
export const tooManyNodes = (most: number) => ({
  code: 'too_many_nodes',
  detail: `Must not have more than ${most} nodes.`,
});

/** The fault of a definition that is nested too deep. */
export const tooDeep = (most: number) => ({
  code: 'too_deep',
  detail: `Must not be nested deeper than ${most}.`,
});

const { definitionNodes, definitionDepth } = limits.segments;
const wide = tooManyNodes(definitionNodes);
const deep = tooDeep(definitionDepth);

/** The schema of a definition as a client sends it. Measures it first, so that a huge definition costs nothing. */
export const definitionSchema: v.GenericSchema<SegmentExpression> = v.lazy((input) => {
  const size = sizeOf(input, definitionNodes);
  if (size.nodes > definitionNodes) return refused(wide.code, wide.detail);
  return size.levels > definitionDepth ? refused(deep.code, deep.detail) : node;
});

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
