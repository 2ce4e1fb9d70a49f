/**
 * Drainer: applies journal entries to the membership index, group by group, for changes whose writers did not index
 * them.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Queue } from '../runtime/ports.ts';
import { IndexWork } from './index-work.ts';
import type { Journal, JournalGroup, StoredEntry } from './journal.ts';
import type { MembershipIndex } from './membership.ts';
import { blocksIn, reachesBehind } from './pairs.ts';

/** A message of the drains queue: a request to index the journal entries of a group. */
export const drainRequest = v.object({
  v: v.literal(1),
  property: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  group: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});
type DrainRequest = v.InferOutput<typeof drainRequest>;

/** Without the keys of the property: the drainer reads profiles by ordinal. */
export interface DrainDeps {
  readonly journal: Journal;
  readonly membership: MembershipIndex;
  /** Finishes the forgetting of a person that was interrupted. */
  readonly finishForgetting: (property: number, ordinal: number) => Promise<unknown>;
}

/** The outcome of one pass over a group. `more`: ripe entries are left, because a pass is bounded. */
export interface DrainOutcome {
  readonly retired: number;
  readonly more: boolean;
}

/**
 * One pass over a group: indexes the pairs of ripe entries, each chunk of each segment once, and then retires the
 * entries. A pass takes the first people, by ordinal, up to a number of chunks, and leaves the rest in their entries;
 * so a drainer that is interrupted repeatedly still finishes. Two passes may run at once, and a pass may die anywhere:
 * entries that were not retired are drained again.
 */
export const drainGroup = async (
  { journal, membership, finishForgetting }: DrainDeps,
  property: number,
  group: number,
  mostChunks: number = limits.segments.chunksPerPass,
): Promise<DrainOutcome> => {
  const { entries, more } = await journal.ripe(property, group);
  const indexed = await indexEntries(membership, { property, group, mostChunks }, entries);
  const { whole } = indexed;
  const forgotten = new Set(whole.flatMap(({ forgets }) => (forgets === undefined ? [] : [forgets])));
  for (const ordinal of forgotten) await finishForgetting(property, ordinal);
  await retireIndexed(journal, indexed);
  return { retired: whole.length, more: more || indexed.cut.length > 0 };
};

/**
 * The same for the entries of requests that wait: a lane without forgettings. Other requests wait for the pass, so it
 * stays small.
 */
export const drainRequests = async (
  { journal, membership }: Pick<DrainDeps, 'journal' | 'membership'>,
  property: number,
  group: number,
): Promise<DrainOutcome> => {
  const { entries, more } = await journal.ripe(property, group, 'request');
  const mostChunks = limits.segments.chunksPerRequestPass;
  const indexed = await indexEntries(membership, { property, group, mostChunks }, entries);
  await retireIndexed(journal, indexed);
  return { retired: indexed.whole.length, more: more || indexed.cut.length > 0 };
};

/** Entries whose pairs are indexed: all of them, or those of the ordinals up to `through`. */
interface Indexed {
  readonly whole: readonly StoredEntry[];
  readonly cut: readonly StoredEntry[];
  readonly through: number;
}

/** Indexes the pairs of entries for the first people, by ordinal, up to a number of chunks. */
const indexEntries = async (
  membership: MembershipIndex,
  { property, group, mostChunks }: JournalGroup & { readonly mostChunks: number },
  entries: readonly StoredEntry[],
): Promise<Indexed> => {
  const all = new IndexWork();
  for (const { pairs } of entries) for (const block of blocksIn(pairs, group)) all.addBlock(block);
  const { work, through } = all.first(mostChunks);
  if (entries.length > 0) await membership.reindexWork(property, work);
  const isAll = through === Number.POSITIVE_INFINITY;
  const cut = isAll ? [] : entries.filter(({ pairs }) => reachesBehind(pairs, group, through));
  return { whole: isAll ? entries : entries.filter((entry) => !cut.includes(entry)), cut, through };
};

const retireIndexed = async (
  journal: Pick<Journal, 'retireEntries' | 'truncateEntries'>,
  { whole, cut, through }: Indexed,
): Promise<void> => {
  await journal.retireEntries(whole);
  await journal.truncateEntries(cut, through);
};

export interface DrainQueue {
  readonly drains: Queue;
  readonly ids: Ids;
}

/**
 * Requests drains of groups. The queue lets one function drain a group at a time. Every request has a new deduplication
 * id: a repeated request within SQS's five minutes may concern entries that the first drain has not seen.
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

/**
 * Completeness barrier: whether the index contains all changes whose journal entries were opened in a property by a
 * time (epoch milliseconds). If not, requests drains of the missing groups, and a later call succeeds.
 */
export const drainAnnounced = async (
  deps: DrainQueue & { readonly journal: Pick<Journal, 'groups'> },
  property: number,
  announcedBy: number,
): Promise<boolean> => {
  const groups = await deps.journal.groups(property, announcedBy);
  if (groups.length > 0) await requestDrains(deps, groups);
  return groups.length === 0;
};

/** Requests drains of every group with journal entries, of all properties; returns the number of groups. */
export const sweepJournal = async (deps: DrainQueue & Pick<DrainDeps, 'journal'>): Promise<number> => {
  const groups = await deps.journal.groups();
  await requestDrains(deps, groups);
  return groups.length;
};
