/**
 * Batch person: a person whom a batch touches, and the rules that decide which person takes a record and which of its
 * identities.
 */
import type { IdentityKind } from '../table/keys.ts';
import type { Claim, IdentityRef, OwnerEntry } from '../profiles/identity-claims.ts';
import type { AcceptedRecord, Withdrawal } from '../profiles/contribution.ts';
import { holdsIdentity, identitiesOf } from '../profiles/resolve-profile.ts';
import type { Pointed } from '../profiles/pointers.ts';
import type { ResolvedProfile, Warning } from '../profiles/types.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import { emptyState, type State } from '../profiles/profile-state.ts';

/** A profile that a batch touches, as the records planned so far leave it. */
export interface Person {
  /** `undefined` until an ordinal is reserved for a new person. */
  ordinal: number | undefined;
  /** The stored entry at the ordinal. */
  readonly entry: OwnerEntry;
  state: State;
  /** The encoded state and the resolved values, when they differ from the stored ones. */
  changed: { readonly encoded: string; readonly after: ResolvedProfile } | undefined;
  /** What the write of the profile must do with the pointers to it, if anything. */
  pointed: Pointed | undefined;
  /** The `trace` of the record that creates the profile, if it does. */
  trace: string | undefined;
  /** Positions in the batch of the records that are merged into this person. */
  readonly records: number[];
  /** The person that replaces this one after its provisional ordinal is closed. */
  closedInto: Person | undefined;
  /** A write for this person met a conflict: its records start over. */
  failed: boolean;
}

/** The person at an ordinal, before any record. */
export const personAt = (ordinal: number | undefined, entry: Person['entry']): Person => ({
  ordinal,
  entry,
  state: entry.kind === 'profile' ? entry.state : emptyState,
  changed: undefined,
  pointed: undefined,
  trace: undefined,
  records: [],
  closedInto: undefined,
  failed: false,
});

/** Whether only claims mention this person: no profile is stored, and this batch will store none. */
export const isProvisional = ({ entry, records }: Person): boolean =>
  entry.kind === 'empty' && records.length === 0;

/** Order of provisional ordinals. A person without an ordinal comes last. */
const rank = ({ ordinal }: Person): number => ordinal ?? Number.POSITIVE_INFINITY;

/** Whether a profile may take a record with this `unique_id`: two different ones never share a profile. */
const mayHold = (state: State, uniqueId: string | undefined): boolean => {
  if (uniqueId === undefined) return true;
  const own = identitiesOf(state).find(({ kind }) => kind === 'unique_id');
  return own === undefined || own.value === uniqueId;
};

/**
 * Whether this batch gives the owner of the claim on a `unique_id` a different `unique_id`. `stored` is the stored
 * entry behind the claim. If the write of that owner fails, the claim is still right, so it must not be moved yet.
 */
const isOwnerChangedByBatch = (owner: Person, stored: Person['entry'], uniqueId: string): boolean =>
  !mayHold(owner.state, uniqueId) && (stored.kind === 'empty' || mayHold(stored.state, uniqueId));

/**
 * Chooses the owner that takes a record (owners strongest first): the strongest owner with a profile that may
 * hold its `unique_id`; otherwise the lowest provisional owner.
 */
export const targetOf = (owners: readonly Person[], uniqueId: string | undefined): Person | undefined =>
  owners.find((owner) => !isProvisional(owner) && mayHold(owner.state, uniqueId)) ??
  owners.filter(isProvisional).sort((a, b) => rank(a) - rank(b))[0];

/**
 * Whether a provisional ordinal may redirect to a person: to a stored profile or to a lower ordinal. A redirect
 * to a higher provisional ordinal is forbidden, because two writers could then redirect to each other.
 */
export const mayRedirect = (from: Person, to: Person): boolean =>
  to.entry.kind === 'profile' || rank(to) < rank(from);

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
  /** What the last owner who went had withdrawn. */
  readonly withdrawn: readonly Withdrawal[];
}

/**
 * Whether a record belongs to a person who was forgotten after its acceptance. The identities are looked at from the
 * strongest to the weakest. The first that is stale says yes; the first that belongs to a living person says no.
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
 * Whether an identity belongs to a profile other than the target of its record. The stored profile decides, because a
 * writer that lost a race may leave a claim without a profile. A `unique_id` is never contested: its record goes to the
 * owner. If that owner now has another `unique_id`, the claim is stale and may be replaced.
 */
const isContested = ({ ref, owner }: ClaimedIdentity, person: Person): boolean =>
  owner !== undefined &&
  isOtherPerson(owner, person) &&
  ref.kind !== 'unique_id' &&
  holdsIdentity(owner.state, ref);

/**
 * Whether a record depends on writes that its batch has not stored yet: the owner of its `unique_id` gets another
 * `unique_id` in this batch, or its e-mail address or social id belongs to a person whom this batch creates. If that
 * write failed, the claim would still be right, or nobody would have the identity.
 */
export const dependsOnBatch = (held: readonly ClaimedIdentity[], person: Person): boolean =>
  held.some(({ ref, owner, ownerEntry }) => {
    if (!owner) return false;
    if (ref.kind === 'unique_id') return isOwnerChangedByBatch(owner, ownerEntry, ref.value);
    return isOtherPerson(owner, person) && ownerEntry.kind === 'empty';
  });

const conflict = (kind: IdentityKind): Warning => ({
  code: 'identity_conflict',
  detail: `The ${kind} belongs to another profile and was not stored.`,
  field: kind,
});

const staleIdentity = (kind: IdentityKind): Warning => ({
  code: 'forgotten',
  detail: `The ${kind} belonged to somebody who has since been forgotten; it was not stored.`,
});
