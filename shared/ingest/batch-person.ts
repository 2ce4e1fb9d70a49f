/** Batch person: a profile that a batch touches, as the records planned so far leave it. */
import type { OwnerEntry } from '../profiles/identity-claims.ts';
import { emptyState, type State } from '../profiles/profile-state.ts';
import { identitiesOf } from '../profiles/resolve-profile.ts';
import type { ResolvedProfile } from '../profiles/types.ts';

/** A profile that a batch touches, as the records planned so far leave it. */
export interface Person {
  /** `undefined` until an ordinal is reserved for a new person. */
  ordinal: number | undefined;
  /** The stored entry at the ordinal. */
  readonly entry: OwnerEntry;
  state: State;
  /** The encoded state and the resolved values, when they differ from the stored ones. */
  changed: { readonly encoded: string; readonly after: ResolvedProfile } | undefined;
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
 * Whether another person owns a `unique_id` only because of this batch; `entry` is the stored entry behind the
 * claim. If the batch fails there, the claim is right after all, so it must not be moved yet.
 */
export const isTakenByBatch = (owner: Person, stored: Person['entry'], uniqueId: string): boolean =>
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
