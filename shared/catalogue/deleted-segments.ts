/**
 * Deleted segments: keeps deletions of value segments and the membership index in agreement. Writers and indexers cache
 * the ids of segments, so an id may come to the index after its segment was deleted. The indexer that makes room for
 * members of the segment decides the race: it either stops the deletion, or moves the members to the segment that has
 * the identity now. `docs/internals/empty-segments.md` draws the protocol.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { isLive } from '../references/lifecycle.ts';
import { DAY_MS, ttlAt } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict, retryRemaining } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Attributes, StoredItem, Table, Write } from '../table/table.ts';
import { claimedSegment, parseSegment, writeSegments } from './segment-items.ts';
import { claimKey } from './identity.ts';
import { quotaOf, quotaWrite, type QuotaDeps } from './segment-quota.ts';
import type { Segment, SegmentIdentity } from './types.ts';

/** Whether a deletion of this segment is under way, or not cleared up yet. */
export const isMarked = (item: StoredItem): boolean => item['deleting'] === true;

/** Announces a deletion, so that an indexer can stop it. Refused when the item has changed. */
export const markWrite = ({ pk, sk, w }: StoredItem): Write => ({
  kind: 'update',
  key: { pk, sk },
  set: { deleting: true },
  expect: { w },
});

/** Stops a deletion that names the item as it was read. Refused when the item has changed. */
export const stopWrite = ({ pk, sk, w }: StoredItem): Write => ({
  kind: 'update',
  key: { pk, sk },
  set: { deleting: null },
  expect: { w },
});

/**
 * Stops the deletions of these segments that are under way. Returns the segments that are deleted already. Call it after
 * the insertion of a chunk, or between the read of a sealed chunk and its write: then a deletion that this call does not
 * stop sees the members.
 */
export const stopDeletions = async (
  { table, pause }: { readonly table: Table; readonly pause: Pause },
  property: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const deleted = new Set<number>();
  await retryRemaining({ pause, what: 'segments: deletions to stop' }, ids, async (left) => {
    const items = await table.getMany(left.map((id) => keys.segment(property, id)));
    left.forEach((id, index) => {
      if (!isLive(items[index])) deleted.add(id);
    });
    const marked = items.filter(isLive).filter(isMarked);
    const outcomes = await table.writeMany(marked.map(stopWrite));
    const refused = new Set(marked.filter((_, index) => outcomes[index] === 'refused'));
    return left.filter((_, index) => {
      const item = items[index];
      return item !== undefined && refused.has(item);
    });
  });
  return deleted;
};

const tombstone = v.object({ successor: v.number() });

/** A deleted value segment. `successor` is the id that its identity gets if an indexer has to create it again. */
export interface DeletedSegment {
  readonly identity: SegmentIdentity;
  readonly successor: number;
}

/** What deletes a value segment. `undoneJob`: the import job whose undo does so; absent for a client. */
export interface DeletionCause {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly undoneJob?: number;
}

/** The attributes of a deleted value segment, besides its identity. */
export const deletedAs = (successor: number, { now, undoneJob }: DeletionCause): Attributes => ({
  successor,
  ...(undoneJob === undefined ? {} : { undone_job: undoneJob }),
  ttl: ttlAt(now + limits.segments.deletedDays * DAY_MS),
});

/** Whether the undo of a job has deleted a segment, as far as the item of the segment has not expired. */
export const deletedByUndo = async (
  table: Table,
  property: number,
  id: number,
  job: number,
): Promise<boolean> => {
  const item = await table.get(keys.segment(property, id));
  return item !== undefined && !isLive(item) && item['undone_job'] === job;
};

/** The deleted value segments among these ids, until their items expire. */
export const readDeleted = async (
  table: Table,
  property: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, DeletedSegment>> => {
  const found = new Map<number, DeletedSegment>();
  if (ids.length === 0) return found;
  for (const item of await table.getMany(ids.map((id) => keys.segment(property, id)))) {
    const deleted = v.safeParse(tombstone, item);
    if (item === undefined || isLive(item) || !deleted.success) continue;
    const { id, ...identity } = parseSegment(item);
    found.set(id, { identity, successor: deleted.output.successor });
  }
  return found;
};

/**
 * Creates deleted segments again under the ids that their deletion has reserved, so that the drainer needs no counter.
 * Of several callers, and writers that create the segment under a new id, one wins. Returns the segments by the deleted
 * id; a segment beyond the quota is absent.
 */
export const recreateSegments = async (
  deps: QuotaDeps,
  property: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Segment>> => {
  const created = new Map<number, Segment>();
  for (const [id, { identity }] of await readDeleted(deps.table, property, ids)) {
    const segment = await recreate(deps, property, id, identity);
    if (segment) created.set(id, segment);
  }
  return created;
};

const recreate = async (
  deps: QuotaDeps,
  property: number,
  deleted: number,
  identity: SegmentIdentity,
): Promise<Segment | undefined> => {
  const { table } = deps;
  const id = await freeSuccessor(table, property, deleted);
  const key = claimKey(property, identity);
  const retry = { pause: deps.pause, what: 'segments: a claim' };
  return retryOnConflict<Segment | undefined>(retry, async () => {
    const claim = await table.get(key);
    const holder = claim && claimedSegment(claim);
    const isDead = holder !== undefined && (await readDeleted(table, property, [holder])).has(holder);
    if (holder !== undefined && !isDead) {
      await writeSegments(table, property, [{ ...identity, id: holder }]);
      return done({ ...identity, id: holder });
    }
    const counted = await quotaWrite(table, property, quotaOf(identity), 1);
    if (!counted) return done(undefined);
    const set = { segment: id };
    const claimed: Write = claim
      ? { kind: 'update', key, set, expect: { w: claim.w } }
      : { kind: 'insert', key, set };
    await table.transact([claimed, counted]);
    return 'conflict';
  });
};

/** The successor of a deleted segment; if that was deleted too, its successor, and so on. */
const freeSuccessor = async (table: Table, property: number, deleted: number): Promise<number> => {
  const found = (await readDeleted(table, property, [deleted])).get(deleted);
  return found ? freeSuccessor(table, property, found.successor) : deleted;
};
