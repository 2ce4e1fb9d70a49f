import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Queue } from '../runtime/ports.ts';
import { chunkOf, CHUNKS_PER_GROUP, groupOf } from '../table/keys.ts';
import { IndexWork } from './index-work.ts';
import type { Journal, JournalGroup } from './journal.ts';
import type { MembershipIndex } from './membership.ts';
import { reachesBehind, visitPairs } from './pairs.ts';

/** A message of the drains queue: index what waits in the journal for a group. */
export const drainRequest = v.object({
  v: v.literal(1),
  property: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  group: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});
type DrainRequest = v.InferOutput<typeof drainRequest>;

/** What draining needs. No keys of the property: profiles are read by ordinal. */
export interface DrainDeps {
  readonly journal: Journal;
  readonly membership: MembershipIndex;
  /** Finishes the forgetting of a person where it was cut off. */
  readonly finishForgetting: (property: number, ordinal: number) => Promise<unknown>;
}

/** What a look at a group did. `more`: ripe items are left, because one look takes a bounded amount. */
export interface DrainOutcome {
  readonly retired: number;
  readonly more: boolean;
}

/**
 * One look at a group: indexes what is ripe, each chunk of each segment once however many items name it, then retires those
 * items. A look takes the first persons, by ordinal, up to a number of chunks, and leaves the others in their items. So a
 * drainer that is cut off again and again comes to an end. May run twice at once, and be cut off anywhere: what is not
 * retired is drained again.
 */
export const drainGroup = async (
  { journal, membership, finishForgetting }: DrainDeps,
  property: number,
  group: number,
  mostChunks: number = limits.segments.chunksPerLook,
): Promise<DrainOutcome> => {
  const { entries, more } = await journal.ripe(property, group);
  if (entries.length === 0) return { retired: 0, more };
  const all = new IndexWork();
  for (const { pairs } of entries)
    visitPairs(pairs, group, (segment, ordinal) => {
      all.add(segment, ordinal);
    });
  const { work, through } = all.first(mostChunks);
  await membership.reindexWork(property, work);
  const isAll = through === Number.POSITIVE_INFINITY;
  const cut = isAll ? [] : entries.filter(({ pairs }) => reachesBehind(pairs, group, through));
  const whole = isAll ? entries : entries.filter((entry) => !cut.includes(entry));
  const forgotten = new Set(whole.flatMap(({ forgets }) => (forgets === undefined ? [] : [forgets])));
  for (const ordinal of forgotten) await finishForgetting(property, ordinal);
  await journal.retireEntries(whole);
  await journal.truncateEntries(cut, through);
  return { retired: whole.length, more: more || cut.length > 0 };
};

/** What asking for drains needs. */
export interface DrainQueue {
  readonly drains: Queue;
  readonly ids: Ids;
}

/**
 * Asks for the draining of groups. One group is drained by one function at a time. Every request counts as new: a
 * repeated one within SQS's five minutes may be about entries that the first has not seen.
 */
export const requestDrains = async (
  { drains, ids }: DrainQueue,
  groups: readonly JournalGroup[],
): Promise<void> => {
  await drains.send(
    groups.map(({ property, group }) => {
      const request: DrainRequest = { v: 1, property, group };
      return {
        body: JSON.stringify(request),
        group: `${property}#${group}`,
        deduplicationId: ids.uuid(),
      };
    }),
  );
};

/** Orders chunks of ordinals by their group. */
const chunksByGroup = (ordinals: Iterable<number>): ReadonlyMap<number, ReadonlySet<number>> => {
  const groups = new Map<number, Set<number>>();
  for (const ordinal of ordinals) {
    const group = groupOf(ordinal);
    groups.set(group, (groups.get(group) ?? new Set()).add(chunkOf(ordinal)));
  }
  return groups;
};

/** The groups of these ordinals in which they lie in at most so many of the 64 chunks. */
export const groupsOf = (ordinals: Iterable<number>, mostChunks = CHUNKS_PER_GROUP): readonly number[] =>
  [...chunksByGroup(ordinals)].flatMap(([group, chunks]) => (chunks.size > mostChunks ? [] : [group]));

/**
 * Whether all that was announced in a property by a time (epoch milliseconds) is in the index; if not, asks for the
 * draining of what is missing, which comes true later.
 */
export const drainAnnounced = async (
  deps: DrainQueue & Pick<DrainDeps, 'journal'>,
  property: number,
  announcedBy: number,
): Promise<boolean> => {
  const groups = await deps.journal.groups(property, announcedBy);
  if (groups.length > 0) await requestDrains(deps, groups);
  return groups.length === 0;
};

/** Asks for the draining of every group with something in the journal, of all properties; returns how many. */
export const sweepJournal = async (deps: DrainQueue & Pick<DrainDeps, 'journal'>): Promise<number> => {
  const groups = await deps.journal.groups();
  await requestDrains(deps, groups);
  return groups.length;
};
