/**
 * Expression plan: finds the segments and groups that an expression reads, and evaluates it on bitmaps, chunk by chunk.
 */
import type { Table } from '../table/table.ts';
import { readDirectories, and, andNot, noBits, or, type Bits } from './chunk.ts';
import { everyoneId } from '../catalogue/identity.ts';
import type { SegmentExpression } from '../catalogue/types.ts';

/** An expression in which `not x` is "everyone without x". */
export type ExpressionPlan =
  | { readonly kind: 'segment'; readonly segment: number }
  | { readonly kind: 'all' | 'any'; readonly of: readonly ExpressionPlan[] }
  | { readonly kind: 'without'; readonly from: ExpressionPlan; readonly drop: ExpressionPlan };

/** The plan for evaluating an expression in a property. */
export const planExpression = (property: number, expression: SegmentExpression): ExpressionPlan => {
  const part = (inner: SegmentExpression): ExpressionPlan => planExpression(property, inner);
  if (typeof expression === 'number') return { kind: 'segment', segment: expression };
  if ('all' in expression) return allOf(expression.all, part);
  if ('any' in expression) return { kind: 'any', of: expression.any.map(part) };
  return {
    kind: 'without',
    from: { kind: 'segment', segment: everyoneId(property) },
    drop: part(expression.not),
  };
};

/** Plans `a and not b` as "a without b", which does not read everyone. */
const allOf = (
  expressions: readonly SegmentExpression[],
  part: (expression: SegmentExpression) => ExpressionPlan,
): ExpressionPlan => {
  const drops = expressions.flatMap((expression) =>
    typeof expression === 'object' && 'not' in expression ? [expression.not] : [],
  );
  const kept = expressions.filter((expression) => typeof expression === 'number' || !('not' in expression));
  if (kept.length === 0 || drops.length === 0) return { kind: 'all', of: expressions.map(part) };
  const from: ExpressionPlan = { kind: 'all', of: kept.map(part) };
  return { kind: 'without', from, drop: { kind: 'any', of: drops.map(part) } };
};

/** Whether a profile is a member of a plan, by its segments: the result of `evaluate` for one profile. */
export const isMember = (plan: ExpressionPlan, holds: (segment: number) => boolean): boolean => {
  if (plan.kind === 'segment') return holds(plan.segment);
  if (plan.kind === 'without') return isMember(plan.from, holds) && !isMember(plan.drop, holds);
  const held = (part: ExpressionPlan): boolean => isMember(part, holds);
  return plan.kind === 'all' ? plan.of.every(held) : plan.of.some(held);
};

/** The segments that a plan reads, without duplicates. */
export const segmentsIn = (plan: ExpressionPlan): ReadonlySet<number> => {
  if (plan.kind === 'segment') return new Set([plan.segment]);
  const parts = plan.kind === 'without' ? [plan.from, plan.drop] : plan.of;
  return new Set(parts.flatMap((part) => [...segmentsIn(part)]));
};

/** The groups in which a plan can have members, by the groups of each segment. */
const groupsIn = (
  plan: ExpressionPlan,
  groupsOf: (segment: number) => readonly number[],
): ReadonlySet<number> => {
  if (plan.kind === 'segment') return new Set(groupsOf(plan.segment));
  if (plan.kind === 'without') return groupsIn(plan.from, groupsOf);
  const [first, ...others] = plan.of.map((part) => groupsIn(part, groupsOf));
  if (plan.kind === 'any') return new Set([...(first ?? []), ...others.flatMap((groups) => [...groups])]);
  return new Set([...(first ?? [])].filter((group) => others.every((groups) => groups.has(group))));
};

/** The members of a plan in one chunk, by the members of each segment in that chunk. */
export const evaluate = (plan: ExpressionPlan, bitsOf: (segment: number) => Bits | undefined): Bits => {
  if (plan.kind === 'segment') return bitsOf(plan.segment) ?? noBits();
  if (plan.kind === 'without') return andNot(evaluate(plan.from, bitsOf), evaluate(plan.drop, bitsOf));
  const [first, ...others] = plan.of.map((part) => evaluate(part, bitsOf));
  return others.reduce(plan.kind === 'all' ? and : or, first ?? noBits());
};

/** The members of an expression in a property. */
export interface MembersOf {
  readonly property: number;
  readonly expression: SegmentExpression;
}

export interface Sources {
  readonly property: number;
  readonly plan: ExpressionPlan;
  readonly segments: readonly number[];
  /** Groups that can have members, ascending. */
  readonly groups: readonly number[];
}

/** Reads the directories of the segments of an expression, and finds the groups that can have members. */
export const openSources = async (table: Table, { property, expression }: MembersOf): Promise<Sources> => {
  const plan = planExpression(property, expression);
  const segments = [...segmentsIn(plan)];
  const directories = await readDirectories(table, property, segments);
  const groups = groupsIn(plan, (segment) => directories.get(segment) ?? []);
  return { property, plan, segments, groups: [...groups].sort((a, b) => a - b) };
};
