/** Change of an objection: in the claim of the identity, in the list, and in the profile of the person who has it. */
import {
  followRedirects,
  identityRef,
  parseClaim,
  readClaims,
  type OwnerEntry,
} from '../profiles/identity-claims.ts';
import { parseObjection, type ObjectionChange } from '../profiles/objections.ts';
import { identitiesOf } from '../profiles/resolve-profile.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { done, fewRounds, retryOnConflict } from '../runtime/retry.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Attributes } from '../table/table.ts';
import { touching } from './commit-plan.ts';
import { closing } from '../profiles/tombstone.ts';
import { freeClaimEnd } from './release-claims.ts';
import { restrictPerson, type RestrictDeps } from './restrict-person.ts';

/**
 * Makes, changes or ends an objection, and returns the ordinal of the person who has the identity now, if there is one. The
 * claim decides whether there is an objection; the list only leads to it. A change writes its item before the claim and
 * again behind it, and an end deletes the item only as it was before the claim, so no objection is missing in the list.
 * May be repeated at any point. Throws when the table fails or conflicts do not end.
 */
export const changeObjection = async (
  deps: RestrictDeps,
  scope: PropertyScope,
  change: ObjectionChange,
  attemptId: string,
): Promise<number | undefined> => {
  const { table } = deps;
  const key = keys.objection(scope.id, change.id);
  const before = await table.get(key);
  if (change.objection) await list(deps, key, change);
  await changeClaim(deps, change);
  const owner = await settle(deps, scope, change.claim, attemptId);
  if (change.objection) await list(deps, key, change);
  else if (before) await table.write({ kind: 'delete', key, expect: { w: parseObjection(before).w } });
  return owner;
};

/**
 * Makes an objection for somebody who is about to be forgotten, in the list and in the claim. The profile stays as it is:
 * it is replaced next, and the receipt counts what it shows. May be repeated at any point. Where the forgetting dies, the
 * profile follows the claim with a repetition, or with the next cleanup (`undo-cleanups.ts`): the forgetting is announced.
 * Throws as `changeObjection` does.
 */
export const objectAhead = async (
  deps: Pick<RestrictDeps, 'table' | 'clock' | 'pause'>,
  property: number,
  change: ObjectionChange,
): Promise<void> => {
  const key = keys.objection(property, change.id);
  await list(deps, key, change);
  await changeClaim(deps, change);
  await list(deps, key, change);
};

/** Writes the item of the list anew. */
const list = async (
  { table }: Pick<RestrictDeps, 'table'>,
  key: Key,
  { kind, claim }: ObjectionChange,
): Promise<void> => {
  const set = { kind, claim: { pk: claim.pk, sk: claim.sk } };
  if ((await table.write({ kind: 'insert', key, set })) === 'refused')
    await table.write({ kind: 'update', key, set, expect: {} });
};

/** Stores the objection in the claim, which stays as long as it has one. */
const changeClaim = async (
  { table, clock, pause }: Pick<RestrictDeps, 'table' | 'clock' | 'pause'>,
  { objection, claim: key }: ObjectionChange,
): Promise<void> => {
  const retry = { pause, patience: fewRounds, what: 'profiles: the claim of an objection' };
  await retryOnConflict(retry, async () => {
    const claim = parseClaim(await table.get(key));
    if (!claim && !objection) return done(undefined);
    const stays = objection !== null || claim?.ordinal !== null || (claim.withdrawn ?? []).length > 0;
    const set: Attributes = {
      objection: objection && { ...objection },
      ttl: stays ? null : freeClaimEnd(clock()),
    };
    const outcome = await table.write(
      claim
        ? { kind: 'update', key, set, expect: { w: claim.w } }
        : { kind: 'insert', key, set: { ordinal: null, ...set } },
    );
    return outcome === 'refused' ? 'conflict' : done(undefined);
  });
};

/**
 * Restricts whoever has the identity of a claim, or ends that. A writer that read the claim before it was changed may be
 * about to give the identity to a person: then the profile gets a new nonce, or the ordinal is closed, and the writer
 * starts over with the changed claim. Returns the ordinal of the person who has the identity.
 */
const settle = (
  deps: RestrictDeps,
  scope: PropertyScope,
  claim: Key,
  attemptId: string,
): Promise<number | undefined> => {
  const { table, pause } = deps;
  const retry = { pause, patience: fewRounds, what: 'profiles: the owner of an objection' };
  return retryOnConflict(retry, async () => {
    const { claims, entries } = await readClaims(table, scope.id, [claim]);
    const { ordinal: claimed = null } = claims.get(claim.pk) ?? {};
    if (claimed === null) return done(undefined);
    const { ordinal, entry } = followRedirects(entries, claimed);
    if (entry.kind === 'forgotten') return done(undefined);
    if (entry.kind === 'empty') {
      const closed = await table.write(closing(scope.id, ordinal));
      return closed === 'refused' ? 'conflict' : done(undefined);
    }
    if (holds(scope, entry, claim)) {
      await restrictPerson(deps, scope, ordinal, attemptId);
      return done(ordinal);
    }
    const touched = await table.write(touching(scope.id, ordinal, entry));
    return touched === 'refused' ? 'conflict' : done(undefined);
  });
};

const holds = (
  scope: PropertyScope,
  { state }: Extract<OwnerEntry, { kind: 'profile' }>,
  claim: Key,
): boolean => identitiesOf(state).some((one) => identityRef(scope, one).key.pk === claim.pk);
