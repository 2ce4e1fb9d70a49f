/**
 * References: keeps referential integrity between items, for deletions and for the requests that name an item in
 * another one.
 *
 * A *referent* (custom segment, collection) is deleted only while no *referrer* (segment, collection, export, timeline)
 * names it, and no referrer names a referent that is deleted. Each reference is an item below its referent, so a
 * deletion finds all referrers with one query. Both sides take four steps, each a conditional write:
 *
 * | the referrer                                             | the deletion of the referent                             |
 * |----------------------------------------------------------|----------------------------------------------------------|
 * | 1 adds the references                                    | 1 reads the referent                                     |
 * | 2 reads its own item, if the item exists                 | 2 reads the references and their referrers; answers 409  |
 * | 3 touches the referents; answers 422 if one is deleted   |   if a referrer is active                                |
 * | 4 inserts its own item, or updates the item on condition | 3 fences the pending referrers: touches their items, or  |
 *     that it is unchanged since step 2                      |   inserts tombstones in their place                      |
 *                                                            | 4 soft-deletes the referent, if unchanged since step 1   |
 *
 * Step 3 of the referrer before step 4 of the deletion: the touch makes step 4 fail, and the deletion starts again and
 * sees the reference. Step 3 after step 4: the referrer finds a tombstone. A referrer that dies in between leaves a
 * reference without a live referrer, which blocks nobody.
 */
import type { Pause } from '../runtime/pause.ts';
import { retryRemaining } from '../runtime/retry.ts';
import { keys, type Key, type Named, type ReferentKind, type ReferrerKind } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';
import { isLive } from './lifecycle.ts';

export type Referent = Named<ReferentKind>;
export type Referrer = Named<ReferrerKind>;

export interface ReferenceDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/** The key of the item of a referent or referrer; the item's lifecycle decides whether it exists. */
export const ownerKey = (property: number, { kind, id }: Referent | Referrer): Key =>
  ({
    segment: keys.segment,
    collection: keys.collection,
    export: keys.exportDefinition,
    timeline: keys.timeline,
  })[kind](property, id);

/**
 * A write that changes only the nonce of an item. It makes every conditional write fail that is based on an earlier
 * read.
 */
export const touchItem = ({ pk, sk, w }: StoredItem): Write => ({
  kind: 'update',
  key: { pk, sk },
  set: {},
  expect: { w },
});

/**
 * Adds references, before their referents are touched. `ttl` (epoch seconds) is the time at which they expire. Of two
 * requests that add the same reference, in any order, the later expiry wins.
 */
export const addReferences = async (
  { table, pause }: ReferenceDeps,
  property: number,
  {
    referrer,
    referents,
    ttl,
  }: { readonly referrer: Referrer; readonly referents: readonly Referent[]; readonly ttl?: number },
): Promise<void> => {
  const set = { kind: referrer.kind, id: referrer.id, ...(ttl === undefined ? {} : { ttl }) };
  const all: readonly Key[] = referents.map((referent) => keys.reference(property, referent, referrer));
  await retryRemaining({ pause, what: 'references: to add' }, all, async (left) => {
    const outcomes = await table.writeMany(left.map((key) => ({ kind: 'insert', key, set })));
    const known = left.filter((_, index) => outcomes[index] === 'refused');
    if (ttl === undefined || known.length === 0) return [];
    const items = await table.getMany(known);
    const shorter = items.filter((item) => item !== undefined).filter((item) => expiryOf(item) < ttl);
    const longer = await table.writeMany(shorter.map((item) => extend(item, ttl)));
    // A reference that has just expired is added like a new one. A reference that another writer changed is read again.
    const expired = known.filter((_, index) => items[index] === undefined);
    const changed = shorter.filter((_, index) => longer[index] === 'refused');
    return [...expired, ...changed.map(({ pk, sk }) => ({ pk, sk }))];
  });
};

/** The time at which a reference expires, in epoch seconds. */
const expiryOf = ({ ttl }: StoredItem): number => (typeof ttl === 'number' ? ttl : Number.POSITIVE_INFINITY);

const extend = ({ pk, sk, w }: StoredItem, ttl: number): Write => ({
  kind: 'update',
  key: { pk, sk },
  set: { ttl },
  expect: { w },
});

/**
 * Touches referents, so that a concurrent deletion of one of them reads its references again. Returns the deleted
 * referents.
 */
export const touchReferents = async (
  { table, pause }: ReferenceDeps,
  property: number,
  referents: readonly Referent[],
): Promise<readonly Referent[]> => {
  const deleted: Referent[] = [];
  await retryRemaining({ pause, what: 'references: referents' }, referents, async (left) => {
    const items = await table.getMany(left.map((referent) => ownerKey(property, referent)));
    const live = left.filter((_, index) => isLive(items[index]));
    deleted.push(...left.filter((_, index) => !isLive(items[index])));
    const outcomes = await table.writeMany(items.filter(isLive).map(touchItem));
    return live.filter((_, index) => outcomes[index] === 'refused');
  });
  return deleted;
};

/** Removes the references of a referrer that was deleted or was never stored. */
export const removeReferences = async (
  { table }: Pick<ReferenceDeps, 'table'>,
  property: number,
  referrer: Referrer,
  referents: readonly Referent[],
): Promise<void> => {
  const added = referents.map((referent) => keys.reference(property, referent, referrer));
  await table.writeMany(added.map((key) => ({ kind: 'delete', key, expect: { id: referrer.id } })));
};

/**
 * The writes of references for the transaction that stores their referrer: each inserts a reference, and touches its
 * referent on condition that the referent is as it was read. `undefined` when a referent is deleted.
 */
export const referenceWrites = async (
  table: Pick<Table, 'getMany'>,
  property: number,
  referrer: Referrer,
  referents: readonly Referent[],
): Promise<readonly Write[] | undefined> => {
  const items = await table.getMany(referents.map((referent) => ownerKey(property, referent)));
  const live = items.filter(isLive);
  if (live.length < referents.length) return undefined;
  const set = { kind: referrer.kind, id: referrer.id };
  const insert = (referent: Referent): Write => ({
    kind: 'insert',
    key: keys.reference(property, referent, referrer),
    set,
  });
  return [...referents.map(insert), ...live.map(touchItem)];
};
