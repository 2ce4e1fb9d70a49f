/** Identity conflicts: decides which identities of a record its person gets, and which records must wait or be dropped. */
import type { IdentityKind } from '../table/keys.ts';
import type { Claim, IdentityRef } from '../profiles/identity-claims.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import { isProvisional, isTakenByBatch, type Person } from './batch-person.ts';
import { holdsIdentity } from '../profiles/resolve-profile.ts';
import type { HybridTimestamp, Warning } from '../profiles/types.ts';

/**
 * An identity of a record with its owner (if any), the stored entry behind its claim, the claim (if any), and
 * the time when its last owner was forgotten.
 */
export interface ClaimedIdentity {
  readonly ref: IdentityRef;
  readonly owner: Person | undefined;
  readonly ownerEntry: Person['entry'];
  readonly claim: Claim | undefined;
  readonly forgotten: HybridTimestamp | undefined;
}

/**
 * Whether a record belongs to a person who was forgotten after its acceptance. The strongest identity with an
 * answer decides; an identity of a living person decides for that person.
 */
export const isOfForgotten = (record: AcceptedRecord, held: readonly ClaimedIdentity[]): boolean => {
  for (const one of held) {
    if (isStale(record, one)) return true;
    if (one.owner && !isProvisional(one.owner)) return false;
  }
  return false;
};

/**
 * Whether the owner of an identity was forgotten after the acceptance of a record. A record that is accepted
 * only now is never stale.
 */
const isStale = ({ stamp, latest }: AcceptedRecord, { forgotten }: ClaimedIdentity): boolean =>
  latest !== true && forgotten !== undefined && stamp <= forgotten;

/** The warning about an identity that the person of a record does not get; undefined when the person gets it. */
export const identityWarning = (
  record: AcceptedRecord,
  held: ClaimedIdentity,
  person: Person,
): Warning | undefined => {
  if (isContested(held, person)) return conflict(held.ref.kind);
  return isStale(record, held) ? staleIdentity(held.ref.kind) : undefined;
};

/** Whether an owner is a different person than the target of the record, with a profile and not only a claim. */
export const isOtherPerson = (owner: Person, person: Person): boolean =>
  owner !== person && !isProvisional(owner);

/**
 * Whether an identity belongs to another profile than the target of its record. The profile decides, because a
 * lost race may leave a claim alone. Never true for a `unique_id`: its record goes to the owner, unless the
 * owner has another `unique_id` by now. In that case the claiming writer lost a race for the profile and can be
 * passed over.
 */
const isContested = ({ ref, owner }: ClaimedIdentity, person: Person): boolean =>
  owner !== undefined &&
  isOtherPerson(owner, person) &&
  ref.kind !== 'unique_id' &&
  holdsIdentity(owner.state, ref);

/**
 * Whether a record depends on writes that its batch has not stored yet: its `unique_id` belongs to another
 * person, or an e-mail address or social id does, only because of this batch. If the batch failed there, the
 * claim would be right after all, or nobody would have the identity.
 */
export const dependsOnBatch = (held: readonly ClaimedIdentity[], person: Person): boolean =>
  held.some(({ ref, owner, ownerEntry }) => {
    if (!owner) return false;
    if (ref.kind === 'unique_id') return isTakenByBatch(owner, ownerEntry, ref.value);
    return isOtherPerson(owner, person) && ownerEntry.kind === 'empty';
  });

const conflict = (kind: IdentityKind): Warning => ({
  code: 'identity_conflict',
  detail: `The ${kind} belongs to another profile and was not stored.`,
  field: kind,
});

const staleIdentity = (kind: IdentityKind): Warning => ({
  code: 'forgotten',
  detail: `The ${kind} was of somebody who has been forgotten since, and was not stored.`,
});
