/**
 * Custom segments and collections are deleted only while nothing uses them, and nothing comes to use one that is deleted.
 * Each use has an item under what is used, so that nobody searches for uses. Four steps, each a conditional write:
 *
 * | who comes to use a thing                               | who deletes it                                                  |
 * |--------------------------------------------------------|-----------------------------------------------------------------|
 * | 1 announces the use                                    | 1 reads the thing                                               |
 * | 2 reads its own item, when it has one already          | 2 reads the uses, and the user of each: one that uses it is 409 |
 * | 3 touches the thing: refused when it is gone, then 422 | 3 stops users that may still come, by taking or touching theirs |
 * | 4 writes its own item: inserts it, or changes it       | 4 marks the thing as deleted, if it is as it was read           |
 *   on condition that it is as it was read in 2
 *
 * If 3 of the user comes before 4 of the deletion, the deletion is refused when the use was announced too late for it to be
 * seen, and looks again. If it comes after, the user is refused. A user that died in between stands in nobody's way: its
 * use stays, but it is not there.
 */
import type { Pause } from '../runtime/pause.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import { keys, type Key, type Named, type ThingKind, type UserKind } from '../table/keys.ts';
import type { StoredItem, Table, Write } from '../table/table.ts';

export type Thing = Named<ThingKind>;
export type User = Named<UserKind>;

/** What uses work with. */
export interface UsesDeps {
  readonly table: Table;
  readonly pause: Pause;
}

/** What is deleted is marked first, then removed; an id that must not come is marked instead of being made. */
export const gone = { life: 'deleted' } as const;

/** Whether an item is that of something which is there. */
export const isThere = (item: StoredItem | undefined): item is StoredItem =>
  item !== undefined && item['life'] !== gone.life;

/** The item that decides whether a thing or user is there. */
export const itemKey = (property: number, { kind, id }: Thing | User): Key =>
  ({
    segment: keys.segment,
    collection: keys.collection,
    export: keys.exportDefinition,
    timeline: keys.timeline,
  })[kind](property, id);

/** A write that changes nothing but the nonce: whoever has read the item before and writes it now is refused. */
export const touch = ({ pk, sk, w }: StoredItem): Write => ({
  kind: 'update',
  key: { pk, sk },
  set: {},
  expect: { w },
});

/**
 * Announces uses, before things are touched. `ttl` (epoch seconds): when they are over at the latest. Announced again, they
 * last until the later of the two ends: two requests may announce the same use in any order.
 */
export const announceUses = async (
  { table, pause }: UsesDeps,
  property: number,
  { user, things, ttl }: { readonly user: User; readonly things: readonly Thing[]; readonly ttl?: number },
): Promise<void> => {
  const set = { kind: user.kind, id: user.id, ...(ttl === undefined ? {} : { ttl }) };
  let left: readonly Key[] = things.map((thing) => keys.use(property, thing, user));
  for (let round = 0; left.length > 0; round += 1) {
    await nextRound(pause, round, manyRounds, `uses: ${left.length} announcements`);
    const outcomes = await table.writeMany(left.map((key) => ({ kind: 'insert', key, set })));
    const known = left.filter((_, index) => outcomes[index] === 'refused');
    if (ttl === undefined || known.length === 0) return;
    const items = await table.getMany(known);
    const shorter = items.filter((item) => item !== undefined).filter((item) => endOf(item) < ttl);
    const longer = await table.writeMany(shorter.map((item) => extend(item, ttl)));
    // A use that expired just now is announced like a new one; a use that somebody else wrote is read again.
    const expired = known.filter((_, index) => items[index] === undefined);
    const changed = shorter.filter((_, index) => longer[index] === 'refused');
    left = [...expired, ...changed.map(({ pk, sk }) => ({ pk, sk }))];
  }
};

/** When a use is over at the latest, in epoch seconds. */
const endOf = ({ ttl }: StoredItem): number => (typeof ttl === 'number' ? ttl : Number.POSITIVE_INFINITY);

const extend = ({ pk, sk, w }: StoredItem, ttl: number): Write => ({
  kind: 'update',
  key: { pk, sk },
  set: { ttl },
  expect: { w },
});

/** Touches things, so that whoever is deleting one of them looks at its users again. Returns those that are gone. */
export const touchThings = async (
  { table, pause }: UsesDeps,
  property: number,
  things: readonly Thing[],
): Promise<readonly Thing[]> => {
  const missing: Thing[] = [];
  let left = things;
  for (let round = 0; left.length > 0; round += 1) {
    await nextRound(pause, round, manyRounds, `uses: ${left.length} things`);
    const items = await table.getMany(left.map((thing) => itemKey(property, thing)));
    const there = left.filter((_, index) => isThere(items[index]));
    missing.push(...left.filter((_, index) => !isThere(items[index])));
    const outcomes = await table.writeMany(items.filter(isThere).map(touch));
    left = there.filter((_, index) => outcomes[index] === 'refused');
  }
  return missing;
};

/** Takes back uses of a user that is gone for good. */
export const releaseUses = async (
  { table }: Pick<UsesDeps, 'table'>,
  property: number,
  user: User,
  things: readonly Thing[],
): Promise<void> => {
  const used = things.map((thing) => keys.use(property, thing, user));
  await table.writeMany(used.map((key) => ({ kind: 'delete', key, expect: { id: user.id } })));
};
