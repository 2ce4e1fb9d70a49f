/** Change of an objection: in the list, in the claim of the identity, and in the profile of the person who has it. */
import { EVERY_USE } from '../profiles/consent.ts';
import {
  identityRef,
  ownershipOf,
  parseClaim,
  readClaims,
  type Claim,
  type OwnerEntry,
} from '../profiles/identity-claims.ts';
import type { ObjectionChange } from '../profiles/objections.ts';
import { identitiesOf } from '../profiles/resolve-profile.ts';
import { utcTimeOf } from '../profiles/text-rules.ts';
import { withdrawalsAttribute, type Withdrawal } from '../profiles/withdrawals.ts';
import type { PropertyScope } from '../properties/scope.ts';
import { done, fewRounds, retryOnConflict } from '../runtime/retry.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Attributes } from '../table/table.ts';
import { FREE_CLAIM_SECONDS } from './release-claims.ts';
import { restrictPerson, type RestrictDeps } from './restrict-person.ts';

/**
 * Makes, changes or ends an objection, and returns the ordinal of the person who has the identity now, if there is one. The
 * list comes first and ends last, so a repetition finds what an interrupted call has left. May be repeated at any point.
 * Throws when the table fails or conflicts do not end.
 */
export const changeObjection = async (
  deps: RestrictDeps,
  scope: PropertyScope,
  change: ObjectionChange,
  attemptId: string,
): Promise<number | undefined> => {
  const { table } = deps;
  const key = keys.objection(scope.id, change.id);
  const { kind, created, created_by, claim } = change;
  if (change.scope !== null) {
    const set = { kind, scope: change.scope, created, created_by, claim: { ...claim } };
    if ((await table.write({ kind: 'insert', key, set })) === 'refused')
      await table.write({ kind: 'update', key, set, expect: {} });
  }
  await changeClaim(deps, change);
  const owner = await settledOwner(deps, scope, claim);
  if (owner !== undefined) {
    const wanted = await isObjected(deps, scope, owner.entry);
    await restrictPerson(deps, scope, { ordinal: owner.ordinal, isRestricted: wanted, attemptId });
  }
  if (change.scope === null) await table.write({ kind: 'delete', key, expect: {} });
  return owner?.ordinal;
};

/** Stores in the claim what its identity objects to. A claim without an owner is made, and stays as long as it objects. */
const changeClaim = async (
  { table, clock, pause }: RestrictDeps,
  { scope, created, claim: key }: ObjectionChange,
): Promise<void> => {
  const retry = { pause, patience: fewRounds, what: 'profiles: the claim of an objection' };
  await retryOnConflict(retry, async () => {
    const claim = parseClaim(await table.get(key));
    if (!claim && scope === null) return done(undefined);
    const withdrawn = (claim?.withdrawn ?? []).filter(({ channel }) => channel !== EVERY_USE);
    const all: readonly Withdrawal[] =
      scope === 'use' ? [...withdrawn, { channel: EVERY_USE, datetime: utcTimeOf(created) }] : withdrawn;
    const kept = { objected: scope === 'storage', withdrawn: withdrawalsAttribute(all) };
    const stays = scope !== null || all.length > 0;
    const set: Attributes = { ...kept, ...ttlOf(claim, stays, clock()) };
    const outcome = await table.write(
      claim
        ? { kind: 'update', key, set, expect: { w: claim.w } }
        : { kind: 'insert', key, set: { ordinal: null, ...set } },
    );
    return outcome === 'refused' ? 'conflict' : done(undefined);
  });
};

/** Only a claim without an owner that keeps nothing expires. */
const ttlOf = (claim: Claim | undefined, stays: boolean, now: number): Attributes => {
  if (stays) return { ttl: null };
  return claim?.ordinal === null ? { ttl: Math.ceil(now / 1_000) + FREE_CLAIM_SECONDS } : {};
};

interface Owner {
  readonly ordinal: number;
  readonly entry: Extract<OwnerEntry, { kind: 'profile' }>;
}

/**
 * The stored person who holds the identity of a claim. A claim may be a moment ahead of its profile, so the look is repeated
 * while there is none. After that the writer is dead, and the next one finds the objection in the claim.
 */
const settledOwner = async (
  deps: RestrictDeps,
  scope: PropertyScope,
  claim: Key,
): Promise<Owner | undefined> => {
  for (let look = 1; ; look += 1) {
    const found = await ownerOf(deps, scope, claim);
    if (found !== 'provisional') return found;
    if (look === LOOKS) return undefined;
    await deps.pause(look);
  }
};

/** About a second: longer than a writer takes from its claims to its profiles. */
const LOOKS = 8;

const ownerOf = async (
  { table }: RestrictDeps,
  scope: PropertyScope,
  claim: Key,
): Promise<Owner | 'provisional' | undefined> => {
  const { claims, entries } = await readClaims(table, scope.id, [claim]);
  const { owner } = ownershipOf(entries, claims.get(claim.pk));
  if (owner?.entry.kind === 'empty') return 'provisional';
  if (owner?.entry.kind !== 'profile') return undefined;
  const { ordinal, entry } = owner;
  const holds = identitiesOf(entry.state).some((one) => identityRef(scope, one).key.pk === claim.pk);
  return holds ? { ordinal, entry } : undefined;
};

/** Whether any identity of a person objects to every use. */
const isObjected = async (
  { table }: RestrictDeps,
  scope: PropertyScope,
  { state }: Owner['entry'],
): Promise<boolean> => {
  const own = identitiesOf(state).map((one) => identityRef(scope, one).key);
  const items = await table.getMany(own);
  return items.some((item) => parseClaim(item)?.withdrawn?.some(({ channel }) => channel === EVERY_USE));
};
