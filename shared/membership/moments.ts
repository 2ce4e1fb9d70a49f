/**
 * Moment members: finds and removes the members of moments, the frozen copies of segments on timelines. A moment has
 * two items: this one (`keys.moment`), which the membership index needs, and the one of its timeline
 * (`keys.timelineMoment`), which `timelines/timeline-items.ts` parses and clients see.
 */
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
  /** The previous moment of the timeline. */
  previous: v.nullable(v.number()),
  /** The moment is being created: a function still copies members into it. */
  open: v.boolean(),
  /** When a person was last removed from this moment or the previous one; stored counts may be wrong since (epoch ms). */
  touched: v.nullable(v.number()),
  count: v.number(),
  added: v.nullable(v.number()),
  removed: v.nullable(v.number()),
});

/** The facts of a moment, by its segment. Stored before the first member is copied. */
export type MomentFacts = Readonly<v.InferOutput<typeof momentItem>>;

export const parseMoment = (item: StoredItem): MomentFacts => v.parse(momentItem, item);

export interface MomentMembersDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly membership: {
    reindex(property: { readonly id: number }, pairs: readonly Pair[]): Promise<void>;
  };
}

/**
 * The members of all moments of a property. Reads every moment of the property, so only forgetting people uses it. People of
 * one chunk are read together.
 */
export const momentMembers = (deps: MomentMembersDeps) => ({
  /** The number of moments with each of these ordinals; an ordinal in no moment is absent. */
  countsWith: async (property: number, ordinals: readonly number[]): Promise<ReadonlyMap<number, number>> => {
    const moments = (await momentsOf(deps.table, property)).filter(({ open }) => !open);
    const pairs = await pairsHeld(deps.table, property, ordinals, moments.map(segmentOf));
    const held = Map.groupBy(pairs, ({ ordinal }) => ordinal);
    return new Map([...held].map(([ordinal, { length }]) => [ordinal, length]));
  },
  /** Removes ordinals from all moments. Their profiles no longer exist, and they are in no other segment. */
  remove: async (property: number, ordinals: readonly number[]): Promise<void> => {
    const seen = new Set<number>();
    // Repeated while new moments appear: a moment may have been copied from a moment that still had the ordinal.
    for (;;) {
      const listed = await momentsOf(deps.table, property);
      if (listed.every(({ segment }) => seen.has(segment))) return;
      await removeFrom(deps, property, ordinals, { listed, seen });
      for (const { segment } of listed) seen.add(segment);
    }
  },
});

export type MomentMembers = ReturnType<typeof momentMembers>;

/** The finished moments that contain an ordinal, oldest first. Reads every moment of the property. */
export const momentsHolding = async (
  table: Table,
  property: number,
  ordinal: number,
): Promise<readonly MomentFacts[]> => {
  const moments = (await momentsOf(table, property)).filter(({ open }) => !open);
  const holding = new Set(await segmentsHolding(table, property, ordinal, moments.map(segmentOf)));
  return moments.filter(({ segment }) => holding.has(segment));
};

/** The segments that contain an ordinal in the index. */
export const segmentsHolding = async (
  table: Table,
  property: number,
  ordinal: number,
  segments: readonly number[],
): Promise<readonly number[]> =>
  (await pairsHeld(table, property, [ordinal], segments)).map(({ segment }) => segment);

/** The memberships of these ordinals in these segments, by segment. Reads each chunk once. */
const pairsHeld = async (
  table: Table,
  property: number,
  ordinals: readonly number[],
  segments: readonly number[],
): Promise<readonly Pair[]> => {
  const chunks = [...Map.groupBy(ordinals, (ordinal) => ordinal - offsetInChunk(ordinal)).values()];
  const wanted = segments.flatMap((segment) =>
    chunks.flatMap(([first, ...others]) =>
      first === undefined ? [] : [{ segment, first, ordinals: [first, ...others] }],
    ),
  );
  const items = await table.getMany(
    wanted.map(({ segment, first }) => keys.chunk(property, segment, groupOf(first), chunkOf(first))),
  );
  return wanted.flatMap(({ segment, ordinals: own }, index) => {
    const bits = membersIn(items[index]);
    return own.flatMap((ordinal) => (hasBit(bits, offsetInChunk(ordinal)) ? [{ segment, ordinal }] : []));
  });
};

/**
 * Removes ordinals from the moments that were not seen before. An open moment is written even without the ordinals, so
 * that a function that is about to copy an ordinal from an earlier read is refused and reads again. Counts are marked
 * as wrong first: the count of the moment, and the count of the next moment, which contains the number of people who
 * left.
 */
const removeFrom = async (
  { table, clock, membership }: MomentMembersDeps,
  property: number,
  ordinals: readonly number[],
  { listed, seen }: { readonly listed: readonly MomentFacts[]; readonly seen: ReadonlySet<number> },
): Promise<void> => {
  const fresh = listed.filter(({ segment }) => !seen.has(segment));
  const pairs = await pairsHeld(table, property, ordinals, fresh.map(segmentOf));
  const held = new Set(pairs.map(segmentOf));
  const touched = new Set(listed.flatMap((one) => (one.touched === null ? [] : [one.segment])));
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
  // Sources of copies first, one after the other: a refused copier then reads a source without the ordinal. A moment is copied only
  // from older moments, and the list is in order of id.
  const making = fresh.filter(({ open }) => open).map(segmentOf);
  const copied = making.map((segment) => ordinals.map((ordinal) => ({ segment, ordinal })));
  for (const work of [pairs.filter(({ segment }) => !making.includes(segment)), ...copied])
    await membership.reindex({ id: property }, work);
};

const segmentOf = ({ segment }: { readonly segment: number }): number => segment;

const momentsOf = async (table: Table, property: number): Promise<readonly MomentFacts[]> =>
  (await allItems(table, keys.moments(property))).map(parseMoment);
