/** Moment counts: reads the counts of moments, and recounts moments from which a person was forgotten. */
import { limits } from '../config/limits.ts';
import { and, countBits, readDirectories } from '../membership/chunk.ts';
import { parseMoment, type MomentFacts } from '../membership/moments.ts';
import { memberGroups, type MemberChunk } from '../membership/read-members.ts';
import type { Clock } from '../runtime/clock.ts';
import { mapLimited } from '../runtime/pool.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { Moment } from './timeline-items.ts';

/** Members of a moment, and changes since the previous moment; null for the first moment. */
export interface Counts {
  readonly count: number;
  readonly added: number | null;
  readonly removed: number | null;
}

/** The counts of no members. */
export const noCounts = (hasPrevious: boolean): Counts =>
  hasPrevious ? { count: 0, added: 0, removed: 0 } : { count: 0, added: null, removed: null };

/** Adds the counts of two parts of a moment. */
export const addCounts = (a: Counts, b: Counts): Counts => ({
  count: a.count + b.count,
  added: a.added === null || b.added === null ? null : a.added + b.added,
  removed: a.removed === null || b.removed === null ? null : a.removed + b.removed,
});

/** Counts the chunks of a group, now and in the previous moment; `then` is absent for the first moment. */
export const countGroup = (now: readonly MemberChunk[], then: readonly MemberChunk[] | undefined): Counts => {
  const count = cardinality(now);
  if (!then) return { count, added: null, removed: null };
  const before = new Map(then.map(({ base, bits }) => [base, bits]));
  const stayed = now.reduce((sum, { base, bits }) => {
    const other = before.get(base);
    return other ? sum + countBits(and(bits, other)) : sum;
  }, 0);
  return { count, added: count - stayed, removed: cardinality(then) - stayed };
};

const cardinality = (chunks: readonly MemberChunk[]): number =>
  chunks.reduce((sum, { bits }) => sum + countBits(bits), 0);

export interface CountDeps {
  readonly table: Table;
  readonly clock: Clock;
}

const { recountGroups, recountSeconds } = limits.timelines;

/**
 * The exact counts of moments: the stored counts, or new counts for moments from which a person was forgotten since.
 * One answer recounts as many moments as it may read, at least the first; the remaining moments are left out.
 */
export const countMoments = async (
  deps: CountDeps,
  property: number,
  moments: readonly Moment[],
): Promise<readonly Counts[]> => {
  const items = await deps.table.getMany(moments.map(({ segment }) => keys.moment(property, segment)));
  const facts = items.filter((item) => item !== undefined).map(parseMoment);
  if (facts.length < moments.length) throw new Error('timelines: a moment has no counts');
  const affordable = facts.slice(0, await affordableCount(deps.table, property, facts));
  return mapLimited(affordable, 2, (moment) =>
    moment.touched === null ? countsOf(moment) : countAfresh(deps, property, moment),
  );
};

const countsOf = ({ count, added, removed }: MomentFacts): Promise<Counts> =>
  Promise.resolve({ count, added, removed });

/** The number of moments, from the first on, that one answer can count. */
const affordableCount = async (
  table: Table,
  property: number,
  facts: readonly MomentFacts[],
): Promise<number> => {
  const touched = facts.filter((moment) => moment.touched !== null);
  const read = [...new Set(touched.flatMap(comparedIn))];
  const directories = await readDirectories(table, property, read);
  let groups = 0;
  const over = facts.findIndex((moment) => {
    if (moment.touched !== null)
      groups += comparedIn(moment).reduce((sum, segment) => sum + (directories.get(segment)?.length ?? 0), 0);
    return groups > recountGroups;
  });
  return over === -1 ? facts.length : Math.max(over, 1);
};

const comparedIn = ({ segment, previous }: MomentFacts): readonly number[] =>
  previous === null ? [segment] : [segment, previous];

/** Recounts a moment. Stores the counts once no removal of a forgotten person can still be under way. */
const countAfresh = async (
  { table, clock }: CountDeps,
  property: number,
  { w, segment, previous, touched }: MomentFacts,
): Promise<Counts> => {
  const now = await memberGroups(table, { property, expression: segment });
  const then = previous === null ? undefined : await memberGroups(table, { property, expression: previous });
  const groups = [...new Set([...now.groups, ...(then?.groups ?? [])])];
  const parts = await mapLimited(groups, limits.segments.groupsAtOnce, async (group) =>
    countGroup(await now.read(group), await then?.read(group)),
  );
  const counts = parts.reduce(addCounts, noCounts(previous !== null));
  if (clock() - (touched ?? 0) > recountSeconds * 1000) {
    const set = { ...counts, touched: null };
    await table.write({ kind: 'update', key: keys.moment(property, segment), set, expect: { w } });
  }
  return counts;
};
