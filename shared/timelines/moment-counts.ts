import { and, countBits } from '../membership/chunk.ts';
import type { MemberChunk } from '../membership/read-members.ts';

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
