/**
 * Segment ids: gives every derived segment one stable id, for importers that run in parallel. A claim (a conditional
 * insert under the hash of the segment's identity) makes the first writer win; every other writer reads the id from the
 * claim.
 */
import { isLive } from '../references/lifecycle.ts';
import type { BoundedMap } from '../runtime/bounded-map.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { fixedId, identityKey, isShown, claimKey, claimOf } from './identity.ts';
import { recreateSegments } from './deleted-segments.ts';
import { inheritIds, recordAliases } from './inherit-ids.ts';
import { claimedSegment, claimWrite, newSegmentIds, writeSegments, isOfBrands } from './segment-items.ts';
import { freeQuota, quotaOf, releaseQuota, reserveConcurrently, type QuotaDeps } from './segment-quota.ts';
import type { IndexedIdentity, Segment, SegmentIdentity } from './types.ts';

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
    const id = fixedId(property, identity) ?? cache.get(idName(property, key));
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
  for (const segment of await readClaims(table, property, identities.filter(isShown)))
    if (segment) found.set(identityKey(segment), segment.id);
  for (const identity of identities) {
    const id = fixedId(property, identity);
    if (id !== undefined) found.set(identityKey(identity), id);
  }
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
