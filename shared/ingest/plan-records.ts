/**
 * Record planner: resolves identities to profiles and plans all writes of a batch from one claim snapshot,
 * without touching the table. Says what became of each record of a plan that was carried out.
 */
import { limits } from '../config/limits.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { ownershipOf, type IdentityRef, type ClaimSnapshot } from '../profiles/identity-claims.ts';
import {
  contributionOf,
  type AcceptedRecord,
  withdrawnBefore,
  type Withdrawal,
} from '../profiles/contribution.ts';
import {
  dependsOnBatch,
  identityWarning,
  isOfForgotten,
  isOtherPerson,
  isProvisional,
  mayRedirect,
  personAt,
  targetOf,
  type ClaimedIdentity,
  type Person,
} from './batch-person.ts';
import { holdsIdentity, overLimit, resolveProfile } from '../profiles/resolve-profile.ts';
import { NEVER, raisedAbove, stampTime, type HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import {
  emptyState,
  mergeStates,
  newestStamp,
  restrictionIn,
  type State,
} from '../profiles/profile-state.ts';
import { encodeState, timesAt } from '../profiles/stored-profile.ts';
import type { RecordRefusal, RecordOutcome, Warning } from '../profiles/types.ts';
import { EVERY_USE } from '../profiles/consent.ts';
import { restrictionStatement } from '../profiles/restriction.ts';
import { missingRule, type UseRules } from './use-rules.ts';
import type { ClaimStep, Closing, Decision, PendingRecord, Release, WritePlan } from './write-plan.ts';

/**
 * Plans, in record order, the target of each record and the writes that it takes. A later record sees the
 * planned effects of earlier ones. `now` dates the profiles to be written, and `rules` are those of the property.
 */
export const planRecords = (
  snapshot: ClaimSnapshot,
  records: readonly PendingRecord[],
  { now, rules }: PlanContext,
): WritePlan => {
  const draft = new WritePlanner(snapshot, { now, rules });
  for (const record of records) draft.add(record);
  return draft;
};

interface PlanContext {
  readonly now: number;
  readonly rules: UseRules;
}

class WritePlanner implements WritePlan {
  readonly persons = new Set<Person>();
  readonly closings: Closing[] = [];
  readonly claims: ClaimStep[] = [];
  readonly decisions: Decision[] = [];
  readonly deferred: PendingRecord[] = [];
  readonly forgotten: PendingRecord[] = [];
  readonly outdated: PendingRecord[] = [];
  readonly objected: PendingRecord[] = [];
  readonly releases: Release[] = [];
  readonly touched = new Map<Person, Set<Person>>();
  readonly #snapshot: ClaimSnapshot;
  readonly #now: number;
  readonly #rules: UseRules;
  readonly #byOrdinal = new Map<number, Person>();
  /** Owners of the identities that this plan claims. */
  readonly #planned = new Map<string, Person>();
  readonly #released = new Set<string>();

  constructor(snapshot: ClaimSnapshot, { now, rules }: PlanContext) {
    this.#snapshot = snapshot;
    this.#now = now;
    this.#rules = rules;
  }

  add(pending: PendingRecord): void {
    const held = pending.refs.map((ref) => this.#held(ref));
    if (isTooOld(pending.record, this.#now)) {
      this.outdated.push(pending);
      return;
    }
    if (held.some(({ claim }) => claim?.objection?.scope === 'storage')) {
      this.objected.push(pending);
      return;
    }
    if (isOfForgotten(pending.record, held)) {
      this.forgotten.push(pending);
      this.#release(held);
      return;
    }
    const owners = held.flatMap(({ owner }) => (owner ? [owner] : []));
    const unique = held.find(({ ref }) => ref.kind === 'unique_id');
    const person = targetOf(owners, unique?.ref.value) ?? personAt(undefined, { kind: 'empty' });
    const closing = [...new Set(owners)].filter((owner) => owner !== person && isProvisional(owner));
    if (dependsOnBatch(held, person) || !closing.every((owner) => mayRedirect(owner, person))) {
      this.deferred.push(pending);
      return;
    }
    const losses = held.map((one) => identityWarning(pending.record, one, person));
    const kept = held.filter((_, index) => losses[index] === undefined);
    const warnings = losses.filter((warning) => warning !== undefined);
    const stamp = stampFor(pending.record, person.state, kept);
    const identities = kept.map(({ ref }) => ref);
    const said = contributionOf(pending.record, identities, stamp, person.state);
    const inherited = mergeStates(said, withdrawnBefore(withdrawnFor(person, kept), stamp));
    const objecting = mergeStates(inherited, this.#restriction(person, kept, stamp));
    const contribution = mergeStates(objecting, this.#missingRule(person, objecting, stamp));
    const refusal = this.#merge(person, contribution);
    this.decisions.push({ pending, person, stamp, contribution, warnings, refusal });
    if (refusal) return;
    if (isProvisional(person)) person.trace = pending.record.trace;
    this.persons.add(person);
    person.records.push(pending.index);
    this.#close(closing, person);
    this.#claim(kept, person);
  }

  /** A person who gets an identity that objects to every use is restricted from then on. */
  #restriction(person: Person, kept: readonly ClaimedIdentity[], stamp: HybridTimestamp): State {
    const objects = kept.some(({ claim }) => claim?.objection);
    if (!objects || restrictionIn(person.state, EVERY_USE)) return emptyState;
    return restrictionStatement(person.state, EVERY_USE, true, { now: this.#now, stamp });
  }

  /** Special values that the property does not use are stored with the statement that says so. */
  #missingRule({ state }: Person, contribution: State, stamp: HybridTimestamp): State {
    if (this.#rules.specialCategories) return emptyState;
    return missingRule(mergeStates(state, contribution), this.#rules, { now: this.#now, stamp });
  }

  #held(ref: IdentityRef): ClaimedIdentity {
    const claim = this.#snapshot.claims.get(ref.key.pk);
    const { owner, ...gone } = ownershipOf(this.#snapshot.entries, claim);
    const planned = this.#planned.get(ref.key.pk);
    if (planned) return { ref, owner: planned, ownerEntry: planned.entry, claim, ...gone };
    if (!owner) return { ref, owner, ownerEntry: { kind: 'empty' }, claim, ...gone };
    const known = this.#byOrdinal.get(owner.ordinal) ?? personAt(owner.ordinal, owner.entry);
    this.#byOrdinal.set(owner.ordinal, known);
    return { ref, owner: known.closedInto ?? known, ownerEntry: owner.entry, claim, ...gone };
  }

  /** Merges the values of a record into its person, unless that would exceed a limit. */
  #merge(person: Person, contribution: State): RecordRefusal | undefined {
    const state = mergeStates(person.state, contribution);
    if (state === person.state) return undefined;
    const encoded = encodeState(state);
    const after = resolveProfile(state, person.ordinal ?? 0, timesAt(this.#now, person.entry));
    const refusal = overLimit({ profile: after, state, encoded });
    if (refusal) return refusal;
    person.state = state;
    person.changed = { encoded, after };
    return undefined;
  }

  #close(closing: readonly Person[], person: Person): void {
    for (const other of closing) {
      other.closedInto = person;
      if (other.ordinal !== undefined) this.closings.push({ ordinal: other.ordinal, person });
    }
  }

  #claim(kept: readonly ClaimedIdentity[], person: Person): void {
    for (const { ref, owner, claim, forgotten } of kept) {
      const points = typeof claim?.ordinal === 'number' && claim.ordinal === person.ordinal;
      // A claim for a stored profile without the identity may be taken away at any time, so the claim is made
      // again.
      const isSure = person.entry.kind === 'empty' || holdsIdentity(person.entry.state, ref);
      if ((points && isSure) || this.#planned.has(ref.key.pk)) continue;
      if (owner && isOtherPerson(owner, person) && ref.kind !== 'unique_id') this.#touch(owner, person);
      this.claims.push({ kind: ref.kind, key: ref.key, seen: claim, forgotten, person });
      this.#planned.set(ref.key.pk, person);
    }
  }

  #touch(owner: Person, taker: Person): void {
    this.touched.set(owner, (this.touched.get(owner) ?? new Set()).add(taker));
  }

  /**
   * Releases claims that an earlier attempt at this record made before it met the forgetting. They lead to
   * nobody, and no later attempt will use them.
   */
  #release(held: readonly ClaimedIdentity[]): void {
    for (const { ref, owner, claim: seen, forgotten = NEVER } of held) {
      const dangles = typeof seen?.ordinal === 'number' && (!owner || isProvisional(owner));
      if (!dangles || this.#released.has(ref.key.pk)) continue;
      this.releases.push({ key: ref.key, seen, provisional: owner?.ordinal, forgotten });
      this.#released.add(ref.key.pk);
    }
  }
}

/** What a person gets with the identities that it does not hold yet: withdrawals of their last owners. */
const withdrawnFor = ({ state }: Person, kept: readonly ClaimedIdentity[]): readonly Withdrawal[] =>
  kept.flatMap(({ ref, withdrawn }) => (holdsIdentity(state, ref) ? [] : withdrawn));

/** Whether a record is so old that the service no longer remembers the forgettings since its acceptance. */
const isTooOld = ({ stamp }: AcceptedRecord, now: number): boolean =>
  now - stampTime(stamp) > limits.profiles.forgottenDays * DAY_MS;

const stampFor = (
  { stamp, latest }: AcceptedRecord,
  state: State,
  kept: readonly ClaimedIdentity[],
): HybridTimestamp => {
  if (latest !== true) return stamp;
  return raisedAbove([newestStamp(state), ...kept.map(({ forgotten }) => forgotten)], stamp);
};

const segmentLimit: Warning = {
  code: 'segment_limit',
  detail: 'The property has no room for more segments; the values are stored without them.',
};

/** The refusal of a record that waited too long. */
export const outdated: RecordRefusal = {
  field: null,
  code: 'too_old',
  message: `The record was accepted more than ${limits.profiles.forgottenDays} days ago; send it again.`,
};

/** The refusal of a record about somebody who objects to being stored. */
export const objected: RecordRefusal = {
  field: null,
  code: 'objected',
  message: 'Somebody with an identity of the record objects to being stored; nothing was stored.',
};

const restricted: Warning = {
  code: 'restricted',
  detail: 'The person objects to every use: the values are stored, and are in no segment and no export.',
};

/** The refusal of a record of a job that was undone. */
export const ofUndoneJob: RecordRefusal = {
  field: null,
  code: 'undone',
  message: 'The import job of the record was undone; nothing was stored.',
};

/** The warning about a record of a person who was forgotten after its acceptance. */
export const forgotten: Warning = {
  code: 'forgotten',
  detail: 'The person was forgotten after this record was accepted; nothing was stored.',
};

/** The outcome of a record whose decision was carried out. `beyondLimit`: a segment of its person has no room. */
export const outcomeOf = (
  { pending, person, stamp, warnings, refusal }: Decision,
  beyondLimit: boolean,
): RecordOutcome => {
  if (refusal) return { kind: 'refused', refusal };
  if (person.ordinal === undefined) throw new Error('profiles: a stored person has no ordinal');
  return {
    kind: isCreator(person, pending) ? 'created' : 'updated',
    ordinal: person.ordinal,
    stamp,
    warnings: [
      ...warnings,
      ...(beyondLimit ? [segmentLimit] : []),
      ...(restrictionIn(person.state, EVERY_USE) ? [restricted] : []),
    ],
  };
};

/** Whether a record created its profile, now or in an earlier application. */
const isCreator = ({ entry, records }: Person, { index, record: { trace } }: PendingRecord): boolean =>
  entry.kind === 'empty' ? records[0] === index : trace !== undefined && entry.trace === trace;
