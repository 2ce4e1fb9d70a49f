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

/** The schema of what a node looks like, so that its faults are told where they are. */
const shapeOf = (input: unknown): v.GenericSchema<SegmentExpression> => {
  if (typeof input === 'number') return idSchema;
  if (!isObject(input)) return either;
  if ('all' in input) return all;
  if ('any' in input) return any;
  return 'not' in input ? not : either;
};

/** A expression as JSON, of any size. */
export const expressionSchema: v.GenericSchema<SegmentExpression> = node;

/** Nodes of a expression, ids and combinations, and how many combinations are nested at the deepest. */
export interface ExpressionSize {
  readonly nodes: number;
  readonly levels: number;
}

/** The size of a expression or of what may become one; beyond `most` nodes it is not counted on. */
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

/** A definition that is too large, however that came about: as sent, or with custom segments written out. */
export const tooManyNodes = (most: number) => ({
  code: 'too_many_nodes',
  detail: `Must not have more than ${most} nodes.`,
});
/** The same for one that is nested too deep. */
export const tooDeep = (most: number) => ({
  code: 'too_deep',
  detail: `Must not be nested deeper than ${most}.`,
});

const { definitionNodes, definitionDepth } = limits.segments;
const wide = tooManyNodes(definitionNodes);
const deep = tooDeep(definitionDepth);

/** A definition as a client sends it. It is measured first, so that a huge one costs nothing. */
export const definitionSchema: v.GenericSchema<SegmentExpression> = v.lazy((input) => {
  const size = sizeOf(input, definitionNodes);
  if (size.nodes > definitionNodes) return refused(wide.code, wide.detail);
  return size.levels > definitionDepth ? refused(deep.code, deep.detail) : node;
});

/** An id in a definition, and the way to it. */
export interface NamedId {
  readonly id: number;
  readonly path: readonly (string | number)[];
}

/** The ids that a definition names, each as often as it does. */
export const idsIn = (definition: SegmentExpression, path: NamedId['path'] = []): readonly NamedId[] => {
  if (typeof definition === 'number') return [{ id: definition, path }];
  if ('not' in definition) return idsIn(definition.not, [...path, 'not']);
  const [name, parts] = 'all' in definition ? ['all', definition.all] : ['any', definition.any];
  return parts.flatMap((part, index) => idsIn(part, [...path, name, index]));
};
