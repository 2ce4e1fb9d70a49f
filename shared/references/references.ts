/**
 * References: how a referrer and the deletion of its referent exclude each other.
 *
 * A *referent* (custom segment, value segment, collection) is named by a *referrer* (segment, collection, export, timeline).
 * Each reference is an item below its referent, so a deletion finds all referrers with one query. The transaction that
 * stores a referrer inserts its references and touches the referents; the deletion marks the referent as deleted on
 * condition that it is as it was before the references were read. So one of the two is refused, and reads again.
 * `docs/internals/references.md` says what becomes of deaths and of references that are left over.
 */
import type { Pause } from '../runtime/pause.ts';
import { ttlAt } from '../runtime/clock.ts';
import { batchesOf } from '../runtime/pool.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
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
const touchItem = ({ pk, sk, w }: StoredItem): Write => ({
  kind: 'update',
  key: { pk, sk },
  set: {},
  expect: { w },
});

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

/** A transaction takes 100 writes; a reference takes two of them, and the referrer and its other items take the rest. */
const REFERENCES_AT_ONCE = 40;

/** For this long a referent waits for a referrer whose references need more than one transaction: no request runs longer. */
const HOLD_SECONDS = 900;

/** Referents that were deleted, so that nothing can be stored that names them. */
export interface DeletedReferents {
  readonly deleted: readonly Referent[];
}

/**
 * The writes of references for the transaction that stores their referrer, or that changes it: each referent gets a
 * reference, and is touched on condition that it is as it was read. Of a referrer with many referents, most references are
 * stored ahead, and hold their referents for 15 minutes: until then nobody deletes them. `now` is in epoch milliseconds.
 */
export const referenceWrites = async (
  deps: ReferenceDeps,
  property: number,
  { referents, now, ...own }: Referencing,
): Promise<Result<readonly Write[], DeletedReferents>> => {
  const ahead = referents.slice(0, Math.max(referents.length - REFERENCES_AT_ONCE, 0));
  const hold = { ...own, until: ttlAt(now + HOLD_SECONDS * 1_000) };
  const held = await addReferences(deps, property, ahead, hold);
  if (!held.ok) return held;
  return writesOf(deps.table, property, referents.slice(ahead.length), own);
};

/** A referrer, what it is about to name, and the time at which its references expire, if they do (epoch seconds). */
interface Referencing {
  readonly referrer: Referrer;
  readonly referents: readonly Referent[];
  readonly now: number;
  readonly ttl?: number;
}

/** A referrer, and the ends of its references in epoch seconds: until when they hold their referents, when they expire. */
interface Lasting {
  readonly referrer: Referrer;
  readonly until?: number;
  readonly ttl?: number;
}

/** Adds references by themselves: ahead of their referrer, or to a referrer that a restore left without them. */
export const addReferences = async (
  { table, pause }: ReferenceDeps,
  property: number,
  referents: readonly Referent[],
  lasting: Lasting,
): Promise<Result<undefined, DeletedReferents>> => {
  const retry = { pause, what: 'references: referents' };
  for (const some of batchesOf(referents, REFERENCES_AT_ONCE)) {
    const added = await retryOnConflict<Result<undefined, DeletedReferents>>(retry, async () => {
      const writes = await writesOf(table, property, some, lasting);
      if (!writes.ok) return done(writes);
      return (await table.transact(writes.value)).length === 0 ? done(ok(undefined)) : 'conflict';
    });
    if (!added.ok) return added;
  }
  return ok(undefined);
};

/** Adds references and touches their referents. A reference that exists stays, and lasts and holds longer. */
const writesOf = async (
  table: Pick<Table, 'getMany'>,
  property: number,
  referents: readonly Referent[],
  { referrer, ...ends }: Lasting,
): Promise<Result<readonly Write[], DeletedReferents>> => {
  const owners = referents.map((referent) => ownerKey(property, referent));
  const references = referents.map((referent) => keys.reference(property, referent, referrer));
  const items = await table.getMany([...owners, ...references]);
  const deleted = referents.filter((_, index) => !isLive(items[index]));
  if (deleted.length > 0) return err({ deleted });
  const added = references.flatMap((key, index): readonly Write[] => {
    const known = items[referents.length + index];
    if (!known) return [{ kind: 'insert', key, set: { kind: referrer.kind, id: referrer.id, ...ends } }];
    const later = Object.entries(ends).filter(([name, end]) => end > Number(known[name] ?? 0));
    if (later.length === 0) return [];
    return [{ kind: 'update', key, set: Object.fromEntries(later), expect: { w: known.w } }];
  });
  return ok([...added, ...items.slice(0, referents.length).filter(isLive).map(touchItem)]);
};
