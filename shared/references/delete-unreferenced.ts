/**
 * Deletion of referents: soft-deletes a segment or collection that no referrer names, and purges it afterwards. The
 * protocol is drawn in `references.ts`.
 */
import * as v from 'valibot';
import { isObject } from '../http/json.ts';
import { problems, type Problem } from '../http/problem.ts';
import { err, type Result } from '../runtime/result.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import { allItems } from '../table/all-items.ts';
import { keys, type ReferrerKind } from '../table/keys.ts';
import type { Attributes, StoredItem, Table, Write } from '../table/table.ts';
import { deleteWrite, purgeWrite } from './lifecycle.ts';
import { ownerKey, type ReferenceDeps, type Referent, type Referrer } from './references.ts';

/** A referrer with its name, for people. */
export interface ReferrerWithName extends Referrer {
  readonly name: string | null;
}

/** The refusal to delete a referent: the first active referrers by id, at most twenty, and the number of all. */
export interface InUse {
  readonly users: readonly ReferrerWithName[];
  readonly total: number;
}

/** Whether a refusal says that the referent is in use. */
export const isInUse = (refusal: unknown): refusal is InUse => isObject(refusal) && 'users' in refusal;

/** A user of a thing, as a sentence names it. */
interface NamedUser {
  readonly kind: string;
  readonly id: number;
  readonly name: string | null;
}

/** The users of a thing. */
interface NamedUsers {
  /** The users that the refusal names, at least one. */
  readonly users: readonly NamedUser[];
  /** The number of all users; `null` if more users may exist than the refusal names. */
  readonly total: number | null;
}

const CHANGE_FIRST = 'Change or delete what uses it first.';

/**
 * 409 for a thing in use. The sentence names the first user and counts the others. If the total is unknown, the
 * sentence says "at least". `errors` names each of `users`. `advice` ends the sentence.
 */
export const inUseProblem = ({ users, total }: NamedUsers, advice = CHANGE_FIRST): Problem => {
  const texts = users.map(({ kind, id, name }) => `${kind} ${name === null ? '' : `"${name}" `}(${id})`);
  const others = (total ?? texts.length) - 1;
  const more = others > 0 ? ` and ${total === null ? 'at least ' : ''}${others} more; see errors` : '';
  const detail = `Is in use by ${texts[0]}${more}. ${advice}`;
  return {
    ...problems.conflict('in_use', detail),
    errors: texts.map((text) => ({ pointer: '', code: 'in_use', detail: `Is in use by ${text}.` })),
  };
};

/** Reads referrers of one kind by id; returns in the same order whether each is active: whether it names the referent. */
export type InspectReferrers = (
  property: number,
  ids: readonly number[],
  referent: Referent,
) => Promise<readonly boolean[]>;

export interface DeleteDeps extends ReferenceDeps {
  readonly referrers: Readonly<Record<ReferrerKind, InspectReferrers>>;
}

const referenceItem = v.object({
  kind: v.picklist(['segment', 'collection', 'export', 'timeline']),
  id: v.number(),
  /** The reference holds its referent until this time (epoch seconds), for a referrer that is about to be stored. */
  until: v.optional(v.number(), 0),
});

/**
 * A deletion. `read` returns the referent with its item, or the reason why it cannot be deleted; it is called again
 * whenever the item has changed. `others` are attributes of the deleted item, and `writes` makes the writes that go with
 * the deletion. `now` is in epoch milliseconds.
 */
interface Deletion<Seen, Refusal> {
  readonly read: () => Promise<Result<Seen, Refusal>>;
  readonly others?: Attributes;
  readonly writes?: (seen: Seen) => Promise<readonly Write[]>;
  readonly now: number;
}

/**
 * Soft-deletes a referent unless an active referrer names it. Of several concurrent deletions one succeeds.
 */
export const deleteUnreferenced = async <Seen extends { readonly item: StoredItem }, Refusal>(
  deps: DeleteDeps,
  property: number,
  referent: Referent,
  { read, others, writes, now }: Deletion<Seen, Refusal>,
): Promise<Result<Seen, Refusal | InUse>> => {
  const { table, pause } = deps;
  const key = ownerKey(property, referent);
  const retry = { pause, what: 'references: a referent to delete' };
  return retryOnConflict<Result<Seen, Refusal | InUse>>(retry, async () => {
    const seen = await read();
    if (!seen.ok) return done(seen);
    const users = await activeReferrers(deps, property, referent, now);
    if (users.length > 0)
      return done(err({ users: await namedUsers(table, property, users), total: users.length }));
    const together = (await writes?.(seen.value)) ?? [];
    const refused = await table.transact([deleteWrite(key, seen.value.item.w, others), ...together]);
    return refused.length === 0 ? done(seen) : 'conflict';
  });
};

const activeReferrers = async (
  { table, referrers }: DeleteDeps,
  property: number,
  referent: Referent,
  now: number,
): Promise<readonly Referrer[]> => {
  const items = await allItems(table, referencesPartition(property, referent));
  const byKind = Map.groupBy(
    items.map((item) => v.parse(referenceItem, item)),
    ({ kind }) => kind,
  );
  const active = await Promise.all(
    [...byKind].map(async ([kind, references]) => {
      const ids = references.map(({ id }) => id);
      const isActive = await referrers[kind](property, ids, referent);
      return references.filter(({ until }, index) => isActive[index] === true || until > now / 1_000);
    }),
  );
  return active.flat();
};

/** Users that a refusal names. */
const MAX_USERS = 20;

const namedItem = v.object({ name: v.string() });

/** The first users with their names; an export may have none. */
const namedUsers = async (
  table: Table,
  property: number,
  users: readonly Referrer[],
): Promise<readonly ReferrerWithName[]> => {
  const first = users.toSorted((a, b) => a.id - b.id).slice(0, MAX_USERS);
  const items = await table.getMany(first.map((user) => ownerKey(property, user)));
  return first.map((user, index) => {
    const item = v.safeParse(namedItem, items[index]);
    return { ...user, name: item.success ? item.output.name : null };
  });
};

/** Purges a soft-deleted referent: its references, all of them stale, and its item. */
export const purgeDeleted = async (table: Table, property: number, referent: Referent): Promise<void> => {
  await purgeReferences(table, property, referent);
  await table.write(purgeWrite(ownerKey(property, referent)));
};

/** Removes the references to a soft-deleted referent, all of them stale. */
export const purgeReferences = async (table: Table, property: number, referent: Referent): Promise<void> => {
  const items = await allItems(table, referencesPartition(property, referent));
  await table.writeMany(items.map(({ pk, sk, w }) => ({ kind: 'delete', key: { pk, sk }, expect: { w } })));
};

const referencesPartition = (property: number, referent: Referent): string =>
  keys.reference(property, referent, { kind: 'segment', id: 0 }).pk;
