import type { LivingSlot } from '../profiles/claims.ts';
import { emptyState, type State } from '../profiles/state.ts';
import { identitiesOf } from '../profiles/surface.ts';
import type { SurfacedProfile } from '../profiles/types.ts';

/** A profile that a batch touches, as the records decided so far leave it. */
export interface Person {
  /** `undefined` until one is reserved for a new person. */
  ordinal: number | undefined;
  /** What stands at the ordinal in the table. */
  readonly slot: LivingSlot;
  state: State;
  /** The state as text and as it surfaces, when it is not what is stored. */
  changed: { readonly encoded: string; readonly after: SurfacedProfile } | undefined;
  /** The `trace` of the record that creates the profile, when one does. */
  trace: string | undefined;
  /** Positions in the batch of the records that went into it. */
  readonly records: number[];
  /** Who is taken instead, once this provisional ordinal is closed. */
  closedInto: Person | undefined;
  /** A step on the way to its profile was refused: its records start over. */
  failed: boolean;
}

/** The person at an ordinal, before any record. */
export const personAt = (ordinal: number | undefined, slot: Person['slot']): Person => ({
  ordinal,
  slot,
  state: slot.kind === 'profile' ? slot.state : emptyState,
  changed: undefined,
  trace: undefined,
  records: [],
  closedInto: undefined,
  failed: false,
});

/** Whether nothing but claims speak of this person: no profile is stored, and none will be by this batch. */
export const isProvisional = ({ slot, records }: Person): boolean =>
  slot.kind === 'vacant' && records.length === 0;

/** Order of provisional ordinals; a person not yet numbered comes after all that are. */
const rank = ({ ordinal }: Person): number => ordinal ?? Number.POSITIVE_INFINITY;

/** Whether a profile may take a record with this `unique_id`: two different ones never share a profile. */
const mayHold = (state: State, uniqueId: string | undefined): boolean => {
  if (uniqueId === undefined) return true;
  const own = identitiesOf(state).find(({ kind }) => kind === 'unique_id');
  return own === undefined || own.value === uniqueId;
};

/**
 * Whether the owner of a `unique_id`'s claim is somebody else only by what this batch will do; `stored` is what stands in
 * the table behind the claim. Should the batch fail there, the claim is right after all, so it must not be moved yet.
 */
export const isTakenByBatch = (owner: Person, stored: Person['slot'], uniqueId: string): boolean =>
  !mayHold(owner.state, uniqueId) && (stored.kind === 'vacant' || mayHold(stored.state, uniqueId));

/**
 * Which of a record's owners (strongest first) takes it: the strongest with a profile that may hold its `unique_id`, else
 * the lowest provisional one.
 */
export const targetOf = (owners: readonly Person[], uniqueId: string | undefined): Person | undefined =>
  owners.find((owner) => !isProvisional(owner) && mayHold(owner.state, uniqueId)) ??
  owners.filter(isProvisional).sort((a, b) => rank(a) - rank(b))[0];

/**
 * Whether a provisional ordinal may redirect to a person: to a stored profile or to a lower ordinal, never to a higher
 * one that is still provisional, or two writers could redirect to each other.
 */
export const mayRedirect = (from: Person, to: Person): boolean =>
  to.slot.kind === 'profile' || rank(to) < rank(from);
