/** Sources of an expression: the plan, the segments and the groups of ordinals that a reader of its members looks into. */
import type { SegmentExpression } from '../catalogue/types.ts';
import type { Table } from '../table/table.ts';
import { readDirectories } from './directory.ts';
import { groupsIn, planExpression, segmentsIn, type ExpressionPlan } from './expression-plan.ts';

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
