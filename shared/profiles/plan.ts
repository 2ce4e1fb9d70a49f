import type { IdentityKind, Key } from '../table/keys.ts';
import { follow, type IdentityRef, type World } from './claims.ts';
import { contributionOf, type AcceptedRecord } from './contribution.ts';
import { isProvisional, isTakenByBatch, mayRedirect, personAt, targetOf, type Person } from './person.ts';
import { overLimit } from './size-limits.ts';
import { nextStamp } from './stamp.ts';
import { join, newestStamp, type State } from './state.ts';
import { encodeState } from './stored.ts';
import { surface } from './surface.ts';
import type { Refusal, Stamp, Warning } from './types.ts';

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

/** A claim to be made (`from` undefined) or moved from another ordinal. */
export interface ClaimStep {
  readonly kind: IdentityKind;
  readonly key: Key;
  readonly from: number | undefined;
  readonly person: Person;
}

/** What becomes of one record if its person's steps go through. */
export interface Decision {
  readonly pending: PendingRecord;
  readonly person: Person;
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

/**
 * An identity of a record, its owner if it has one, what the table has behind its claim, and where that points (undefined
 * while it is only planned).
 */
interface Held {
  readonly ref: IdentityRef;
  readonly owner: Person | undefined;
  readonly stored: Person['slot'];
  readonly from: number | undefined;
}

class PlanDraft implements Plan {
  readonly persons = new Set<Person>();
  readonly closings: Closing[] = [];
  readonly claims: ClaimStep[] = [];
  readonly decisions: Decision[] = [];
  readonly deferred: PendingRecord[] = [];
  readonly #world: World;
  readonly #now: number;
  readonly #byOrdinal = new Map<number, Person>();
  /** Owners of the identities claimed by this plan. */
  readonly #planned = new Map<string, Person>();

  constructor(world: World, now: number) {
    this.#world = world;
    this.#now = now;
  }

  add(pending: PendingRecord): void {
    const held = pending.refs.map((ref) => this.#held(ref));
    const owners = held.flatMap(({ owner }) => (owner ? [owner] : []));
    const unique = held.find(({ ref }) => ref.kind === 'unique_id');
    const person = targetOf(owners, unique?.ref.value) ?? personAt(undefined, { kind: 'vacant' });
    const closing = [...new Set(owners)].filter((owner) => owner !== person && isProvisional(owner));
    if (isEarly(unique) || !closing.every((owner) => mayRedirect(owner, person))) {
      this.deferred.push(pending);
      return;
    }
    const kept = held.filter((one) => !isContested(one, person));
    const warnings = held.filter((one) => !kept.includes(one)).map(({ ref }) => conflict(ref.kind));
    const refusal = this.#merge(pending.record, person, kept);
    this.decisions.push({ pending, person, warnings, refusal });
    if (refusal) return;
    this.persons.add(person);
    person.records.push(pending.index);
    this.#close(closing, person);
    this.#claim(kept, person);
  }

  #held(ref: IdentityRef): Held {
    const planned = this.#planned.get(ref.key.pk);
    if (planned) return { ref, owner: planned, stored: planned.slot, from: undefined };
    const from = this.#world.claims.get(ref.key.pk);
    if (from === undefined) return { ref, owner: undefined, stored: { kind: 'vacant' }, from };
    const { ordinal, slot } = follow(this.#world.slots, from);
    const known = this.#byOrdinal.get(ordinal) ?? personAt(ordinal, slot);
    this.#byOrdinal.set(ordinal, known);
    return { ref, owner: known.closedInto ?? known, stored: slot, from };
  }

  /** Merges a record into its person, unless that would break a limit. */
  #merge(record: AcceptedRecord, person: Person, kept: readonly Held[]): Refusal | undefined {
    const identities = kept.map(({ ref }) => ref);
    const stamp = stampFor(record, person.state);
    const state = join(person.state, contributionOf(record, identities, stamp));
    if (state === person.state) return undefined;
    const encoded = encodeState(state);
    const after = surface(state, person.ordinal ?? 0, this.#now);
    const refusal = overLimit(after, encoded);
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
    for (const { ref, from } of kept) {
      const points = from !== undefined && from === person.ordinal;
      if (points || this.#planned.has(ref.key.pk)) continue;
      this.claims.push({ kind: ref.kind, key: ref.key, from, person });
      this.#planned.set(ref.key.pk, person);
    }
  }
}

const isEarly = (unique: Held | undefined): boolean =>
  unique?.owner !== undefined && isTakenByBatch(unique.owner, unique.stored, unique.ref.value);

/**
 * Whether an identity belongs to another profile than the one its record goes to. Never so for a `unique_id`: its record
 * goes to its owner, unless that has another one by now, whose claimer lost a race for the profile and can be passed over.
 */
const isContested = ({ ref, owner }: Held, person: Person): boolean =>
  owner !== undefined && owner !== person && !isProvisional(owner) && ref.kind !== 'unique_id';

const stampFor = ({ stamp, latest }: AcceptedRecord, state: State): Stamp => {
  const newest = latest === true ? newestStamp(state) : undefined;
  return newest !== undefined && newest >= stamp ? nextStamp(newest) : stamp;
};

const conflict = (kind: IdentityKind): Warning => ({
  code: 'identity_conflict',
  detail: `The ${kind} belongs to another profile and was not stored.`,
});
