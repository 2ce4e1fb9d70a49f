/**
 * Journal writer: announces membership changes in the journal before profile writes, so that the drainer can
 * index them after a crash (a write-ahead log).
 */
import type { Derivation } from '../catalogue/derivation.ts';
import { look, type Look, type LookDeps } from '../catalogue/look.ts';
import type { IndexedIdentity, Pair } from '../catalogue/types.ts';
import type { GroupCommit } from '../membership/group-commit.ts';
import type { ChunksAhead, Seen } from '../membership/membership.ts';
import { ordinalsOf, pairName, singly, type Pairs } from '../membership/pairs.ts';
import { isUnavailable } from '../runtime/aws-errors.ts';
import { unless } from '../runtime/unless.ts';
import { writeProfiles, type StoreDeps } from './commit-plan.ts';
import type { EntryOptions, Journal, JournalEntry } from '../membership/journal.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Person } from './batch-person.ts';
import { idsBetween } from '../catalogue/conditions/rule-set.ts';
import { conditionsByField, indexedValuesOf } from '../catalogue/derive.ts';
import { leftSegmentsOf, shownBy } from '../catalogue/timed.ts';
import type { State } from '../profiles/profile-state.ts';
import { resolveProfile } from '../profiles/resolve-profile.ts';
import { timesAt } from '../profiles/stored-profile.ts';
import type { ResolvedProfile } from '../profiles/types.ts';

/** The journal operations that the record writer uses. */
export type ChangeJournal = Pick<Journal, 'open' | 'extend' | 'close' | 'retire'>;

/** Who updates the index: the writer, before it answers, or the drainer, some time later. */
export type IndexMode = 'now' | 'later';

/** Takes work that may come after the outcome of other work. */
export type Trailing = (work: () => Promise<void>) => void;

/** How the entry of a batch is opened, and ended. */
export interface JournalWriterOptions extends EntryOptions {
  /** Indexes the announced memberships at the end. Without it the drainer does, some time later. */
  readonly commit?: GroupCommit;
  /** Takes the removal of the entry. By default the end waits for it. */
  readonly trailing?: Trailing | undefined;
}

/**
 * The time in which announced profile writes may leave. Only `JournalWriter.open` makes one, and every write goes through
 * one that may change a membership:
 *
 * - the profiles of records (`applyRecords`), of missed records (`mergeMissedBy`) and of restrictions (`restrictPerson`),
 * - the profiles that an undo rewrites (`undoPeople`),
 * - tombstones of forgotten people (`forgetPeople`). They name the segments to leave, so a segment that the forgetting does
 *   not know would keep the person.
 *
 * Other writes of profile items change no membership, so they need none: new nonces (`touching`), lists of pointers
 * (`settlePointers`), items of ordinals that nobody has got (`closing`, redirects), and the end of a tombstone.
 */
class WriteWindow {
  readonly #until: number;

  constructor(until: number) {
    this.#until = until;
  }

  /** Sends profile writes. None goes out after the end of the time; `UnavailableError` is thrown then. */
  send<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
    return withDeadline({ clock, until: this.#until }, work);
  }
}
export type { WriteWindow };

/** The journal entry of one batch. `open` creates or extends it; `end`, `close` or `retire` ends it. */
export class JournalWriter {
  readonly #journal: ChangeJournal;
  readonly #property: number;
  readonly #attemptId: string;
  readonly #options: EntryOptions;
  readonly #commit: GroupCommit | undefined;
  readonly #trailing: Trailing | undefined;
  readonly #pairs: Pairs[number][] = [];
  #entry: JournalEntry | undefined;
  #chunks: ChunksAhead | undefined;
  /** The profiles as this writer has stored them, by ordinal. Only a group commit needs them. */
  readonly #written = new Map<number, ResolvedProfile>();

  constructor(
    journal: ChangeJournal,
    property: number,
    attemptId: string,
    { commit, trailing, ...options }: JournalWriterOptions,
  ) {
    this.#journal = journal;
    this.#property = property;
    this.#attemptId = attemptId;
    this.#options = options;
    this.#commit = commit;
    this.#trailing = trailing;
  }

  /**
   * Announces the memberships that the next profile writes may change, and reads their chunks beside that. Returns when
   * these writes may leave: not long behind the look from which the pairs follow, and not after the time of the entry.
   */
  async open(pairs: Pairs, { until }: Pick<Look, 'until'>): Promise<WriteWindow> {
    await this.#announce(pairs);
    return new WriteWindow(Math.min(until, this.#entry?.writeUntil ?? until));
  }

  async #announce(pairs: Pairs): Promise<void> {
    const fresh = this.#entry ? unannounced(pairs, this.#pairs) : pairs;
    this.#pairs.push(...fresh);
    if (fresh.length === 0) return;
    if (this.#entry) {
      this.#chunks = undefined;
      this.#entry = await this.#journal.extend(this.#entry, fresh);
      return;
    }
    [this.#entry, this.#chunks] = await Promise.all([
      this.#journal.open(this.#property, this.#attemptId, fresh, this.#options),
      this.#commit?.chunksAhead(this.#property, fresh),
    ]);
  }

  /** Writes the changed profiles of these persons in their time: see `writeProfiles`. */
  async writeProfiles(
    deps: StoreDeps & { readonly clock: Clock },
    persons: readonly Person[],
    { now, window }: { readonly now: number; readonly window: WriteWindow },
  ): Promise<void> {
    await window.send(deps.clock, () => writeProfiles(deps, this.#property, persons, now));
    if (!this.#commit) return;
    for (const { ordinal, changed, failed } of persons) {
      if (ordinal === undefined) continue;
      if (changed && !failed) this.#written.set(ordinal, changed.after);
      else this.#written.delete(ordinal);
    }
  }

  /**
   * Ends the entry: indexes the announced memberships, alone or together with other requests, or leaves them to the
   * drainer.
   */
  async end(): Promise<void> {
    if (!this.#commit) return this.close();
    if (!this.#entry) return;
    const entry = this.#entry;
    if (!(await this.#commit.alone(this.#property, this.#pairs, this.#seen()))) {
      await this.close();
      return this.#commit.untilIndexed(this.#entry);
    }
    const retire = async (): Promise<void> => {
      // An entry that stays is drained later.
      await unless(isUnavailable, () => this.#journal.retire(entry));
    };
    if (this.#trailing) this.#trailing(retire);
    else await retire();
  }

  /** What is known of the chunks and the profiles of the announced memberships. */
  #seen(): Seen | undefined {
    if (!this.#chunks) return undefined;
    // A profile that was written behind the read of its chunks is as good as one that is read behind it.
    const areKnown = this.#pairs.every((one) =>
      ordinalsOf(one).every((ordinal) => this.#written.has(ordinal)),
    );
    return { chunks: this.#chunks, profiles: areKnown ? this.#written : undefined };
  }

  /** Leaves the announced memberships to others: no further profile write is sent. */
  async close(): Promise<void> {
    if (!this.#entry || (await this.#journal.close(this.#entry))) return;
    // A drainer may have indexed before the last profile write was stored. The entry is written again, so
    // that a drainer indexes it again.
    this.#entry = await this.#journal.extend(this.#entry, this.#pairs);
    await this.#journal.close(this.#entry);
  }

  /** Retires the entry once all of it is indexed. */
  async retire(): Promise<void> {
    if (this.#entry) await this.#journal.retire(this.#entry);
  }
}

const unannounced = (pairs: Pairs, known: Pairs): Pairs => {
  const names = new Set(singly(known).map(pairName));
  return singly(pairs).filter((pair) => !names.has(pairName(pair)));
};

interface JournalDeps extends LookDeps {
  readonly segments: SegmentIds;
}

/** Profile writes to announce. */
interface IntendedWrites {
  readonly writing: readonly Person[];
  readonly now: number;
  /** Timestamps of records that may be stored already, by person. */
  readonly repeatedStamps: ReadonlyMap<Person, ReadonlySet<HybridTimestamp>> | undefined;
}

/** Announced profile writes. */
interface Announced {
  readonly window: WriteWindow;
  /** Persons with a segment that the property has no quota for. */
  readonly beyondLimit: ReadonlySet<Person>;
  /** The derivations under which the writes are announced. */
  readonly derivations: readonly Derivation[];
}

/**
 * Opens the journal for the segments that writing these persons changes, under every derivation in use. A derivation that
 * appears meanwhile takes effect only when every write is stored that was announced without it: see `propagationMs`.
 */
export const openJournal = async (
  deps: JournalDeps,
  scope: PropertyScope,
  journal: JournalWriter,
  { writing, now, repeatedStamps }: IntendedWrites,
): Promise<Announced> => {
  const persons = repeatedStamps ? [...new Set([...writing, ...repeatedStamps.keys()])] : writing;
  const seen = await look(deps, scope.id);
  const derivations = seen.derivations.all;
  const context = { now, derivations, ...(repeatedStamps ? { repeatedStamps } : {}) };
  const { pairs, beyondLimit } = await indexChange(deps.segments, scope.id, persons, context);
  return { window: await journal.open(pairs, seen), beyondLimit, derivations };
};

/** Ids of segments by `identityKey`; missing segments are created. A segment beyond the property's quota is absent. */
export interface SegmentIds {
  idsOf(property: number, identities: readonly IndexedIdentity[]): Promise<ReadonlyMap<string, number>>;
}

/** The index changes of a batch of profile writes. */
interface IndexChange {
  readonly pairs: Pairs;
  /** Persons with a segment beyond the property's quota. */
  readonly beyondLimit: ReadonlySet<Person>;
}

/** Everything besides the profiles that decides segments: the time, for age bands, and each derivation in use. */
interface IndexContext {
  readonly now: number;
  readonly derivations: readonly Derivation[];
  /**
   * Timestamps of records that may be stored already, by person. Their values are announced, and counted
   * against the quota, as if they were not stored yet.
   */
  readonly repeatedStamps?: ReadonlyMap<Person, ReadonlySet<HybridTimestamp>>;
}

/** The memberships that writing these persons may change: segments that they enter or leave. */
const indexChange = async (
  segments: SegmentIds,
  property: number,
  persons: readonly Person[],
  context: IndexContext,
): Promise<IndexChange> => {
  const changes = persons.map((person) => ({ person, differing: differing(person, context) }));
  const distinct = new Map<string, IndexedIdentity>();
  for (const { differing } of changes)
    for (const [key, identity] of differing.identities) distinct.set(key, identity);
  const ids = distinct.size === 0 ? none : await segments.idsOf(property, [...distinct.values()]);
  const pairs: Pair[] = [];
  const blocks = new Map<readonly number[], number[]>();
  const beyondLimit = new Set<Person>();
  for (const { person, differing } of changes) {
    const { ordinal } = person;
    for (const key of differing.identities.keys()) {
      const segment = ids.get(key);
      if (segment === undefined) beyondLimit.add(person);
      else if (ordinal !== undefined) pairs.push({ segment, ordinal });
    }
    if (ordinal === undefined) continue;
    for (const some of differing.conditions) {
      if (some.length === 0) continue;
      const ordinals = blocks.get(some);
      if (ordinals) ordinals.push(ordinal);
      else blocks.set(some, [ordinal]);
    }
  }
  const listed = [...blocks].map(([some, ordinals]) => ({ segments: some, ordinals }));
  return { pairs: [...pairs, ...listed], beyondLimit };
};

const none: ReadonlyMap<string, never> = new Map<string, never>();

/** Segments that a write may change. */
interface Differing {
  /** By `identityKey`. */
  readonly identities: ReadonlyMap<string, IndexedIdentity>;
  /** Lists of ids of conditions, which need no look for their ids. */
  readonly conditions: readonly (readonly number[])[];
}

const nothing: Differing = { identities: none, conditions: [] };

/**
 * Segments of either the stored profile or the new one, but not of both, under every
 * derivation. A changed birthday adds every recent age band of the old one, because the index may still be behind. So does a
 * change of the use of special categories: whoever makes no segment of minors is in none from then on. The same goes for the
 * conditions whose members change with time alone, and for the values of their fields.
 */
const differing = (person: Person, { now, derivations, repeatedStamps }: IndexContext): Differing => {
  const { entry, changed, state, ordinal = 0 } = person;
  const stamps = repeatedStamps?.get(person);
  const own = stamps && entry.kind === 'profile' && hasAny(entry.state, stamps) ? stamps : undefined;
  if (!changed && !own) return nothing;
  const times = timesAt(now, entry);
  const present = changed?.after ?? resolveProfile(state, ordinal, times);
  const stored = entry.kind === 'profile' ? resolveProfile(entry.state, ordinal, times) : undefined;
  const [first, ...others] = derivations;
  // Most people of an import are new, and two versions are rare. Then every segment of the profile is a change.
  if (!stored && first && others.length === 0) {
    const conditions = conditionsByField(present, now, first);
    return { identities: indexedValuesOf(present, now, first), conditions };
  }
  const earlier = own ? [stored, resolveProfile(without(state, own), ordinal, times)] : [stored];
  const found = new Map<string, IndexedIdentity>();
  const conditions: (readonly number[])[] = [];
  for (const derivation of derivations) {
    const after = indexedValuesOf(present, now, derivation);
    const met = conditionsByField(present, now, derivation);
    for (const profile of earlier) {
      const before = profile ? indexedValuesOf(profile, now, derivation) : none;
      for (const [key, identity] of before) if (!after.has(key)) found.set(key, identity);
      for (const [key, identity] of after) if (!before.has(key)) found.set(key, identity);
      conditions.push(idsBetween(profile ? conditionsByField(profile, now, derivation) : [], met));
    }
  }
  if (changed && stored && entry.kind === 'profile') {
    const shown = shownBy(entry.updatedAt, now);
    for (const derivation of derivations) {
      const left = leftSegmentsOf(stored, changed.after, shown, derivation.conditions);
      for (const [key, identity] of left.bands) found.set(key, identity);
      conditions.push(...left.conditions);
    }
  }
  return { identities: found, conditions };
};

/** Whether records with these timestamps left anything in a state. */
const hasAny = (state: State, stamps: ReadonlySet<HybridTimestamp>): boolean => {
  for (const { stamp } of state.values()) if (stamps.has(stamp)) return true;
  return false;
};

/**
 * A state without the values of records with these timestamps. Its identities stay: a profile without an identity would
 * be in no segment, and each of its other values would count as new.
 */
const without = (state: State, stamps: ReadonlySet<HybridTimestamp>): State =>
  new Map([...state].filter(([, { area, stamp }]) => area === 'identity' || !stamps.has(stamp)));
