import { limits } from '../config/limits.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import type { IdentityKind, Key } from '../table/keys.ts';
import { ownershipOf, type Claim, type IdentityRef, type World } from '../profiles/claims.ts';
import { contributionOf, type AcceptedRecord } from '../profiles/contribution.ts';
import { isEarly, isOfForgotten, isOther, lossOf, type Held } from './held.ts';
import { isProvisional, mayRedirect, personAt, targetOf, type Person } from './person.ts';
import { overLimit } from '../profiles/size-limits.ts';
import { NEVER, raisedAbove, stampTime } from '../profiles/stamp.ts';
import { join, newestStamp, type State } from '../profiles/state.ts';
import { encodeState } from '../profiles/stored.ts';
import { holdsIdentity, surface } from '../profiles/surface.ts';
import type { Refusal, Stamp, Warning } from '../profiles/types.ts';

/** A record of a batch under way, with its identities' claim keys, strongest first. */
export interface PendingRecord {
  readonly index: number;
  readonly record: AcceptedRecord;
  readonly refs: readonly IdentityRef[];
}

/** A provisional ordinal to be closed in favour of a person. */
interface Closing {
  readonly ordinal: number;
  readonly person: Person;
}

/** A claim to be made, or taken over as it was `seen`. */
export interface ClaimStep {
  readonly kind: IdentityKind;
  readonly key: Key;
  readonly seen: Claim | undefined;
  /** When the last owner was forgotten: stays on the claim for the records that are still under way. */
  readonly forgotten: Stamp | undefined;
  readonly person: Person;
}

/** A claim that leads to nobody, of a record that will not make anybody the owner. */
export interface Release {
  readonly key: Key;
  readonly seen: Claim;
  /** The provisional ordinal it leads to, to be closed first; undefined where a tombstone stands already. */
  readonly vacant: number | undefined;
  readonly forgotten: Stamp;
}

/** What becomes of one record if its person's steps go through. */
export interface Decision {
  readonly pending: PendingRecord;
  readonly person: Person;
  /** Of its values, as they are stored. */
  readonly stamp: Stamp;
  readonly warnings: readonly Warning[];
  readonly refusal: Refusal | undefined;
}

/** What a batch wants to do to the table, decided in memory. */
export interface Plan {
  readonly persons: ReadonlySet<Person>;
  readonly closings: readonly Closing[];
  readonly claims: readonly ClaimStep[];
  readonly decisions: readonly Decision[];
  /** Records that must wait until others of the batch are stored. */
  readonly deferred: readonly PendingRecord[];
  /** Records of people who were forgotten after they were accepted: nothing of them is stored. */
  readonly forgotten: readonly PendingRecord[];
  /** Records that were accepted before any forgetting that is still known. */
  readonly outdated: readonly PendingRecord[];
  readonly releases: readonly Release[];
  /**
   * Stored profiles that lose a claim of an identity they have not got, with those who take it. They are written as they
   * are first, so that no writer who read the claim before can still store the identity there.
   */
  readonly touched: ReadonlyMap<Person, ReadonlySet<Person>>;
}

/**
 * Decides, in record order, where each record goes and what that takes; a later record sees what earlier ones of the
 * batch will have done. `now` dates the profiles to be written.
 */
export const planRecords = (world: World, records: readonly PendingRecord[], now: number): Plan => {
  const draft = new PlanDraft(world, now);
  for (const record of records) draft.add(record);
  return draft;
};

class PlanDraft implements Plan {
  readonly persons = new Set<Person>();
  readonly closings: Closing[] = [];
  readonly claims: ClaimStep[] = [];
  readonly decisions: Decision[] = [];
  readonly deferred: PendingRecord[] = [];
  readonly forgotten: PendingRecord[] = [];
  readonly outdated: PendingRecord[] = [];
  readonly releases: Release[] = [];
  readonly touched = new Map<Person, Set<Person>>();
  readonly #world: World;
  readonly #now: number;
  readonly #byOrdinal = new Map<number, Person>();
  /** Owners of the identities claimed by this plan. */
  readonly #planned = new Map<string, Person>();
  readonly #released = new Set<string>();

  constructor(world: World, now: number) {
    this.#world = world;
    this.#now = now;
  }

  add(pending: PendingRecord): void {
    const held = pending.refs.map((ref) => this.#held(ref));
    if (isTooOld(pending.record, this.#now)) {
      this.outdated.push(pending);
      return;
    }
    if (isOfForgotten(pending.record, held)) {
      this.forgotten.push(pending);
      this.#release(held);
      return;
    }
    const owners = held.flatMap(({ owner }) => (owner ? [owner] : []));
    const unique = held.find(({ ref }) => ref.kind === 'unique_id');
    const person = targetOf(owners, unique?.ref.value) ?? personAt(undefined, { kind: 'vacant' });
    const closing = [...new Set(owners)].filter((owner) => owner !== person && isProvisional(owner));
    if (isEarly(held, person) || !closing.every((owner) => mayRedirect(owner, person))) {
      this.deferred.push(pending);
      return;
    }
    const losses = held.map((one) => lossOf(pending.record, one, person));
    const kept = held.filter((_, index) => losses[index] === undefined);
    const warnings = losses.filter((warning) => warning !== undefined);
    const stamp = stampFor(pending.record, person.state, kept);
    const identities = kept.map(({ ref }) => ref);
    const refusal = this.#merge(person, contributionOf(pending.record, identities, stamp));
    this.decisions.push({ pending, person, stamp, warnings, refusal });
    if (refusal) return;
    if (isProvisional(person)) person.trace = pending.record.trace;
    this.persons.add(person);
    person.records.push(pending.index);
    this.#close(closing, person);
    this.#claim(kept, person);
  }

  #held(ref: IdentityRef): Held {
    const claim = this.#world.claims.get(ref.key.pk);
    const { owner, forgotten } = ownershipOf(this.#world.slots, claim);
    const planned = this.#planned.get(ref.key.pk);
    if (planned) return { ref, owner: planned, stored: planned.slot, claim, forgotten };
    if (!owner) return { ref, owner, stored: { kind: 'vacant' }, claim, forgotten };
    const known = this.#byOrdinal.get(owner.ordinal) ?? personAt(owner.ordinal, owner.slot);
    this.#byOrdinal.set(owner.ordinal, known);
    return { ref, owner: known.closedInto ?? known, stored: owner.slot, claim, forgotten };
  }

  /** Merges what a record adds into its person, unless that would break a limit. */
  #merge(person: Person, contribution: State): Refusal | undefined {
    const state = join(person.state, contribution);
    if (state === person.state) return undefined;
    const encoded = encodeState(state);
    const after = surface(state, person.ordinal ?? 0, this.#now);
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

  #claim(kept: readonly Held[], person: Person): void {
    for (const { ref, owner, claim, forgotten } of kept) {
      const points = typeof claim?.ordinal === 'number' && claim.ordinal === person.ordinal;
      // A claim for a stored profile that has not got the identity may be taken away at any time: it is made anew.
      const isSure = person.slot.kind === 'vacant' || holdsIdentity(person.slot.state, ref);
      if ((points && isSure) || this.#planned.has(ref.key.pk)) continue;
      if (owner && isOther(owner, person) && ref.kind !== 'unique_id') this.#touch(owner, person);
      this.claims.push({ kind: ref.kind, key: ref.key, seen: claim, forgotten, person });
      this.#planned.set(ref.key.pk, person);
    }
  }

  #touch(owner: Person, taker: Person): void {
    this.touched.set(owner, (this.touched.get(owner) ?? new Set()).add(taker));
  }

  /**
   * Claims that an earlier attempt at this record made before it met the forgetting lead to nobody, and no later attempt
   * will come to use them.
   */
  #release(held: readonly Held[]): void {
    for (const { ref, owner, claim: seen, forgotten = NEVER } of held) {
      const dangles = typeof seen?.ordinal === 'number' && (!owner || isProvisional(owner));
      if (!dangles || this.#released.has(ref.key.pk)) continue;
      this.releases.push({ key: ref.key, seen, vacant: owner?.ordinal, forgotten });
      this.#released.add(ref.key.pk);
    }
  }
}

/** Whether a record was accepted so long ago that nobody knows any more whether its person was forgotten since. */
const isTooOld = ({ stamp }: AcceptedRecord, now: number): boolean =>
  now - stampTime(stamp) > limits.profiles.forgottenDays * DAY_MS;

const DAY_MS = DAY_SECONDS * 1000;

const stampFor = ({ stamp, latest }: AcceptedRecord, state: State, kept: readonly Held[]): Stamp => {
  if (latest !== true) return stamp;
  return raisedAbove([newestStamp(state), ...kept.map(({ forgotten }) => forgotten)], stamp);
};
