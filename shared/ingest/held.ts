import type { IdentityKind } from '../table/keys.ts';
import type { Claim, IdentityRef } from '../profiles/claims.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import { isProvisional, isTakenByBatch, type Person } from './person.ts';
import { holdsIdentity } from '../profiles/surface.ts';
import type { Stamp, Warning } from '../profiles/types.ts';

/**
 * An identity of a record, its owner if it has one, what the table has behind its claim, its claim if there is one, and
 * when its last owner was forgotten.
 */
export interface Held {
  readonly ref: IdentityRef;
  readonly owner: Person | undefined;
  readonly stored: Person['slot'];
  readonly claim: Claim | undefined;
  readonly forgotten: Stamp | undefined;
}

/**
 * Whether a record is of somebody who was forgotten after it was accepted: so says the strongest of its identities that
 * says anything. One that a living person has speaks for that person.
 */
export const isOfForgotten = (record: AcceptedRecord, held: readonly Held[]): boolean => {
  for (const one of held) {
    if (isStale(record, one)) return true;
    if (one.owner && !isProvisional(one.owner)) return false;
  }
  return false;
};

/** Whether the owner of an identity was forgotten since a record with it was accepted. One that is only now applied is new. */
const isStale = ({ stamp, latest }: AcceptedRecord, { forgotten }: Held): boolean =>
  latest !== true && forgotten !== undefined && stamp <= forgotten;

/** What the client is told of an identity that its record's person does not get; undefined when the person gets it. */
export const lossOf = (record: AcceptedRecord, held: Held, person: Person): Warning | undefined => {
  if (isContested(held, person)) return conflict(held.ref.kind);
  return isStale(record, held) ? staleIdentity(held.ref.kind) : undefined;
};

/** Whether an owner is another person than the one a record goes to, and more than a claim speaks of them. */
export const isOther = (owner: Person, person: Person): boolean => owner !== person && !isProvisional(owner);

/**
 * Whether an identity belongs to another profile than the one its record goes to: the profile has it, a claim alone may be
 * what a lost race left. Never so for a `unique_id`: its record goes to its owner, unless that has another one by now,
 * whose claimer lost a race for the profile and can be passed over.
 */
const isContested = ({ ref, owner }: Held, person: Person): boolean =>
  owner !== undefined &&
  isOther(owner, person) &&
  ref.kind !== 'unique_id' &&
  holdsIdentity(owner.state, ref);

/**
 * Whether what a record does hangs on what its batch has yet to store: the owner of its `unique_id` is somebody else, or an
 * e-mail or social id is another's, only by what this batch will do. Should the batch fail there, the claim would be right
 * after all, or nobody would have the identity.
 */
export const isEarly = (held: readonly Held[], person: Person): boolean =>
  held.some(({ ref, owner, stored }) => {
    if (!owner) return false;
    if (ref.kind === 'unique_id') return isTakenByBatch(owner, stored, ref.value);
    return isOther(owner, person) && stored.kind === 'vacant';
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
