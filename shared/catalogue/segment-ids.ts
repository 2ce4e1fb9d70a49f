/**
 * Segment ids: gives every derived segment one stable id, for importers that run in parallel. A claim (a conditional
 * insert under the hash of the segment's identity) makes the first writer win; every other writer reads the id from the
 * claim.
 *
 * Deletions of value segments and the membership index are kept in agreement here, too. Writers and indexers cache the ids
 * of segments, so an id may come to the index after its segment was deleted. The indexer that makes room for members of
 * the segment decides the race: it either stops the deletion, or moves the members to the segment that has the identity
 * now. `docs/internals/empty-segments.md` draws the protocol.
 */
import { isLive } from '../references/lifecycle.ts';
import type { BoundedMap } from '../runtime/bounded-map.ts';
import { keys } from '../table/keys.ts';
import type { Table, Attributes, StoredItem, Write } from '../table/table.ts';
import { identityKey, isShown, claimKey, claimOf } from './identity.ts';
import { inheritIds, recordAliases } from './inherit-ids.ts';
import {
  claimedSegment,
  claimWrite,
  newSegmentIds,
  writeSegments,
  isOfBrands,
  parseSegment,
  freeQuota,
  quotaOf,
  releaseQuota,
  reserveConcurrently,
  type QuotaDeps,
  quotaWrite,
} from './segment-items.ts';
import type { IndexedIdentity, Segment, SegmentIdentity } from './types.ts';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_MS, ttlAt } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict, retryRemaining } from '../runtime/retry.ts';

/** Ids that the process has seen, by `idName`. */
export type IdCache = BoundedMap<string, number>;

/** The name of an identity key in the cache of ids. */
export const idName = (property: number, key: string): string => `${property}${key}`;

/** Ids of identities by `identityKey`. Claims ids for new identities as far as the segment quota goes. */
export const claimIds = async (
  deps: QuotaDeps,
  cache: IdCache,
  property: number,
  identities: readonly IndexedIdentity[],
): Promise<ReadonlyMap<string, number>> => {
  const ids = new Map<string, number>();
  const unknown = new Map<string, SegmentIdentity>();
  for (const identity of identities) {
    const key = identityKey(identity);
    const id = identity.id ?? cache.get(idName(property, key));
    if (id !== undefined) ids.set(key, id);
    else if (isShown(identity)) unknown.set(key, identity);
  }
  for (const segment of await claimSegments(deps, property, [...unknown.values()])) {
    const key = identityKey(segment);
    ids.set(key, segment.id);
    cache.set(idName(property, key), segment.id);
  }
  return ids;
};

/** Ids by key, for the keys that have an id. */
export const findKeys = async (
  table: Table,
  cache: IdCache,
  property: number,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const unknown = wanted.filter((key) => cache.get(idName(property, key)) === undefined);
  const items = unknown.length === 0 ? [] : await table.getMany(unknown.map((key) => claimOf(property, key)));
  items.forEach((item, index) => {
    if (item) cache.set(idName(property, unknown[index] ?? ''), claimedSegment(item));
  });
  return new Map(
    wanted.flatMap((key) => {
      const id = cache.get(idName(property, key));
      return id === undefined ? [] : [[key, id] as const];
    }),
  );
};

/** Ids by `identityKey`, for the identities that have an id. Claims none. */
export const findIds = async (
  table: Table,
  property: number,
  identities: readonly IndexedIdentity[],
): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>();
  const claimed = identities.filter(({ id }) => id === undefined).filter(isShown);
  for (const segment of await readClaims(table, property, claimed))
    if (segment) found.set(identityKey(segment), segment.id);
  for (const { id, ...identity } of identities) if (id !== undefined) found.set(identityKey(identity), id);
  return found;
};

/** The segments of identities, with ids from existing or new claims. Their items are complete when this returns. */
const claimSegments = async (
  deps: QuotaDeps,
  property: number,
  identities: readonly SegmentIdentity[],
): Promise<readonly Segment[]> => {
  const { table } = deps;
  if (identities.length === 0) return [];
  const claimed = await readClaims(table, property, identities);
  const unclaimed = identities.filter((_, index) => claimed[index] === undefined);
  const successors = unclaimed.filter(({ mergedFrom }) => mergedFrom !== undefined);
  const inherited = successors.length === 0 ? [] : await inheritIds(table, property, successors);
  const settled = new Set(inherited.map(identityKey));
  const missing = unclaimed.filter((identity) => !settled.has(identityKey(identity)));
  const made = missing.length === 0 ? [] : await makeClaims(deps, property, missing);
  const found = [...claimed, ...inherited, ...made].filter((segment) => segment !== undefined);
  // A writer may have died between its claim and the items. The next writer that reads the claim completes them.
  const stored = await table.getMany(found.map(({ id }) => keys.segment(property, id)));
  if (found.some(isOfBrands)) await recordAliases(table, property, found, stored);
  await writeSegments(
    table,
    property,
    found.filter((_, index) => stored[index] === undefined),
  );
  const deleted = found.filter((_, index) => stored[index] !== undefined && !isLive(stored[index]));
  if (deleted.length === 0) return found;
  // A deletion has not freed these claims yet, or its function has died.
  const again = await recreateSegments(
    deps,
    property,
    deleted.map(({ id }) => id),
  );
  return [...found.filter((segment) => !deleted.includes(segment)), ...again.values()];
};

const readClaims = async (
  table: Table,
  property: number,
  identities: readonly SegmentIdentity[],
): Promise<readonly (Segment | undefined)[]> => {
  const items = await table.getMany(identities.map((identity) => claimKey(property, identity)));
  return identities.map((identity, index) => {
    const item = items[index];
    return item && { ...identity, id: claimedSegment(item) };
  });
};

/** Claims new segments within their quotas. Where another writer claims the same segment first, its claim counts. */
const makeClaims = async (
  deps: QuotaDeps,
  property: number,
  identities: readonly SegmentIdentity[],
): Promise<readonly (Segment | undefined)[]> => {
  const made: (Segment | undefined)[] = [];
  for (const [quota, own] of Map.groupBy(identities, quotaOf))
    made.push(...(await makeClaimsOf(deps, { property, quota }, own)));
  return made;
};

/** Claims new segments of one quota. */
const makeClaimsOf = async (
  deps: QuotaDeps,
  { property, quota }: { readonly property: number; readonly quota: ReturnType<typeof quotaOf> },
  identities: readonly SegmentIdentity[],
): Promise<readonly (Segment | undefined)[]> => {
  const { table } = deps;
  const count = Math.min(identities.length, await freeQuota(table, property, quota));
  if (count === 0) return [];
  const ids = await newSegmentIds(table, property, count);
  const reserved = await reserveConcurrently(deps, { property, quota, count });
  const segments = ids.slice(0, reserved).flatMap((id, index) => {
    const identity = identities[index];
    return identity ? [{ ...identity, id }] : [];
  });
  const outcomes = await table.writeMany(segments.map((segment) => claimWrite(property, segment)));
  const lost = segments.filter((_, index) => outcomes[index] === 'refused');
  if (lost.length > 0) await releaseQuota(deps, { property, quota, count: lost.length });
  const won = segments.filter((_, index) => outcomes[index] === 'applied');
  return [...won, ...(lost.length > 0 ? await readClaims(table, property, lost) : [])];
};

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
