/**
 * Member counts: counts the members of an expression exactly, and refuses expressions that take too many queries to
 * count.
 */
import { everyoneId } from '../catalogue/identity.ts';
import { limits } from '../config/limits.ts';
import { mapLimited } from '../runtime/pool.ts';
import { CHUNKS_PER_GROUP, ORDINALS_PER_GROUP } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { countBits } from './chunk.ts';
import { readDirectories } from './directory.ts';
import { openSources, planExpression, segmentsIn, type MembersOf, type Sources } from './expression-plan.ts';
import { readWindow } from './read-window.ts';

const { countQueries, groupsAtOnce } = limits.segments;

/** The exact number of members. Groups are read side by side. */
export const countMembers = async (table: Table, members: MembersOf): Promise<number> => {
  const sources = await openSources(table, members);
  const counts = await mapLimited(sources.groups, groupsAtOnce, (group) => countGroup(table, sources, group));
  return counts.reduce((sum, count) => sum + count, 0);
};

/** The exact number of members in one group: a query for each segment of the expression. */
export const countInGroup = (
  table: Table,
  { property, expression }: MembersOf,
  group: number,
): Promise<number> => {
  const plan = planExpression(property, expression);
  return countGroup(table, { property, plan, segments: [...segmentsIn(plan)], groups: [group] }, group);
};

const countGroup = async (table: Table, sources: Sources, group: number): Promise<number> => {
  const chunks = await readWindow(table, sources, { group, first: 0, last: CHUNKS_PER_GROUP - 1 });
  return chunks.reduce((sum, { bits }) => sum + countBits(bits), 0);
};

/** The groups in which an expression can have members, ascending. */
export const groupsWith = async (table: Table, members: MembersOf): Promise<readonly number[]> =>
  (await openSources(table, members)).groups;

/** An expression of so few segments (a segment without another one) is cheap to count in a property of any size. */
const FEW_SEGMENTS = 2;

/** The fault of an expression that is too expensive to count. */
interface CostFault {
  readonly code: 'too_expensive';
  readonly detail: string;
}

/**
 * The fault of an expression that is too expensive to count in one request; undefined when it is cheap enough. A count
 * takes a query for each segment in each group that can have members. The check costs one read in a small property, and
 * otherwise the directories of all segments.
 */
export const costFault = async (
  table: Table,
  { property, expression }: MembersOf,
): Promise<CostFault | undefined> => {
  const { size } = segmentsIn(planExpression(property, expression));
  if (size <= FEW_SEGMENTS) return undefined;
  const everyone = everyoneId(property);
  const everywhere = (await readDirectories(table, property, [everyone])).get(everyone)?.length ?? 0;
  if (size * everywhere <= countQueries) return undefined;
  const groups = (await groupsWith(table, { property, expression })).length;
  return size * groups <= countQueries ? undefined : tooExpensive(size, groups);
};

const number = (value: number): string => value.toLocaleString('en');

const tooExpensive = (segments: number, groups: number): CostFault => ({
  code: 'too_expensive',
  detail:
    `Takes ${number(segments * groups)} queries of the index: ${number(segments)} segments, with profiles in ` +
    `${number(groups)} groups of ${number(ORDINALS_PER_GROUP)}. The limit is ${number(countQueries)} queries.`,
});
