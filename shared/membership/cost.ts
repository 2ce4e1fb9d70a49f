import { limits } from '../config/limits.ts';
import type { ProblemError } from '../http/problem.ts';
import { ORDINALS_PER_GROUP } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { readDirectories } from './directory.ts';
import { groupsWith, type MembersOf } from './evaluate.ts';
import { everyoneId } from '../catalogue/identity.ts';
import { planExpression, segmentsIn } from './expression-plan.ts';

const { countQueries } = limits.segments;
/** A segment and what is taken from it: too few queries in a property of any size. */
const FEW_SEGMENTS = 2;

/**
 * What is wrong with counting a target: it takes a query for each of its segments in each group that it can have members
 * in, and one answer has only so many. Costs a read when the property is small enough for the target, else the directories.
 */
export const costFault = async (
  table: Table,
  { property, target }: MembersOf,
): Promise<Omit<ProblemError, 'pointer'> | undefined> => {
  const { size } = segmentsIn(planExpression(property, target));
  if (size <= FEW_SEGMENTS) return undefined;
  const everyone = everyoneId(property);
  const everywhere = (await readDirectories(table, property, [everyone])).get(everyone)?.length ?? 0;
  if (size * everywhere <= countQueries) return undefined;
  const groups = (await groupsWith(table, { property, target })).length;
  return size * groups <= countQueries ? undefined : tooExpensive(size, groups);
};

const number = (value: number): string => value.toLocaleString('en');

const tooExpensive = (segments: number, groups: number): Omit<ProblemError, 'pointer'> => ({
  code: 'too_expensive',
  detail:
    `Takes ${number(segments * groups)} queries of the index: ${number(segments)} segments, with profiles in ` +
    `${number(groups)} groups of ${number(ORDINALS_PER_GROUP)}. At most ${number(countQueries)} are made.`,
});
