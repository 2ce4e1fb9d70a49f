import * as v from 'valibot';
import type { Clock } from '../runtime/clock.ts';
import { allItems } from '../table/all-items.ts';
import { chunkOf, groupOf, keys, offsetInChunk } from '../table/keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import { hasBit, membersIn } from './chunk.ts';
import type { Pair } from '../catalogue/types.ts';

const momentItem = v.object({
  w: v.string(),
  segment: v.number(),
  timeline: v.number(),
  /** The moment before it in its timeline. */
  previous: v.nullable(v.number()),
  /** It is being made: members are still copied into it. */
  open: v.boolean(),
  /** When somebody was last to leave it, or the one before: what was counted may be wrong since (epoch ms). */
  touched: v.nullable(v.number()),
  count: v.number(),
  added: v.nullable(v.number()),
  removed: v.nullable(v.number()),
});
/** What is known of a moment by its segment, from before its first member is copied. */
export type MomentFacts = Readonly<v.InferOutput<typeof momentItem>>;

/** The facts of a moment's item. */
export const parseMoment = (item: StoredItem): MomentFacts => v.parse(momentItem, item);

/** Moments as forgetting a person sees them. */
export interface MomentMembers {
  /** How many hold an ordinal. */
  countWith(property: number, ordinal: number): Promise<number>;
  /** Takes an ordinal, which is no profile any more and in no other segment, out of all of them. */
  remove(property: number, ordinal: number): Promise<void>;
}

/** What leaving moments needs. */
export interface MomentMembersDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly membership: {
    reindex(property: { readonly id: number }, pairs: readonly Pair[]): Promise<void>;
  };
}

/** The moments of the table. Costs a read per moment of the property: for forgetting a person only. */
export const momentMembers = (deps: MomentMembersDeps): MomentMembers => ({
  countWith: async (property, ordinal) => {
    const moments = (await momentsOf(deps.table, property)).filter(({ open }) => !open);
    return (await holding(deps.table, property, ordinal, moments.map(segmentOf))).length;
  },
  remove: async (property, ordinal) => {
    const seen = new Set<number>();
    // Again while there are new ones: a moment may have been copied from one that was not left yet.
    for (;;) {
      const listed = await momentsOf(deps.table, property);
      if (listed.every(({ segment }) => seen.has(segment))) return;
      await removeFrom(deps, property, ordinal, { listed, seen });
      for (const { segment } of listed) seen.add(segment);
    }
  },
});

/** Those of some moments that hold an ordinal. */
export const holding = async (
  table: Table,
  property: number,
  ordinal: number,
  moments: readonly number[],
): Promise<readonly number[]> => {
  const chunks = await table.getMany(
    moments.map((moment) => keys.chunk(property, moment, groupOf(ordinal), chunkOf(ordinal))),
  );
  return moments.filter((_, index) => hasBit(membersIn(chunks[index]), offsetInChunk(ordinal)));
};

/**
 * Takes an ordinal out of those moments that were not seen before. An open one is written whether it holds the ordinal or
 * not, so that who is about to copy a member there that was read earlier is refused and reads again. What was counted is
 * marked first: of a moment, and of the one behind it, which says who left since.
 */
const removeFrom = async (
  { table, clock, membership }: MomentMembersDeps,
  property: number,
  ordinal: number,
  { listed, seen }: { readonly listed: readonly MomentFacts[]; readonly seen: ReadonlySet<number> },
): Promise<void> => {
  const fresh = listed.filter(({ segment }) => !seen.has(segment));
  const held = new Set(await holding(table, property, ordinal, fresh.map(segmentOf)));
  const touched = new Set(listed.flatMap((one) => (one.touched === null ? [] : [one.segment])));
  const left = fresh.filter(({ segment, open }) => open || held.has(segment));
  const miscounted = fresh.filter(
    ({ segment, open, previous }) =>
      open || held.has(segment) || (previous !== null && (held.has(previous) || touched.has(previous))),
  );
  const now = clock();
  await table.writeMany(
    miscounted.map(({ segment }) => ({
      kind: 'update',
      key: keys.moment(property, segment),
      set: { touched: now },
      expect: {},
    })),
  );
  // What others are copied from goes first, one after the other: who is refused there reads where the ordinal is gone already.
  // A moment is copied only from older ones, and the list is in the order of their ids.
  const [making, made] = [left.filter(({ open }) => open), left.filter(({ open }) => !open)];
  for (const moments of [made, ...making.map((moment) => [moment])])
    await membership.reindex(
      { id: property },
      moments.map(({ segment }) => ({ segment, ordinal })),
    );
};

const segmentOf = ({ segment }: MomentFacts): number => segment;

const momentsOf = async (table: Table, property: number): Promise<readonly MomentFacts[]> =>
  (await allItems(table, keys.moments(property))).map(parseMoment);
