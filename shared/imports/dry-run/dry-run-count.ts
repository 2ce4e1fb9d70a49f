/** Dry run count: adds up what a dry run found in the batches of a job, so that each person counts once. */
import type { SegmentType } from '../../catalogue/types.ts';
import type { RehearsedBatch } from './rehearsed-batch.ts';

/** Number of new segments that the result of a dry run names. */
const NAMED_SEGMENTS = 1_000;

/** A segment that the job would make. */
export interface NewSegment {
  readonly type: SegmentType;
  readonly name: string;
  readonly members: number;
}

/** The people and segments of a dry run. */
export interface DryRunTotals {
  readonly people: { readonly new: number; readonly changed: number; readonly unchanged: number };
  readonly warnings: number;
  /** The number of new segments, and the first of them by name. */
  readonly newSegments: { readonly count: number; readonly segments: readonly NewSegment[] };
}

/** `seen`: a stored profile that has an identity of a record, and that no record goes to. */
type Kind = 'new' | 'changed' | 'unchanged' | 'seen';

interface CountedPerson {
  kind: Kind;
  uniqueId: string | null;
  /** Hashes of the new segments of the person; absent for most people. */
  segments?: Set<string>;
}

interface NamedSegment {
  readonly hash: string;
  readonly type: SegmentType;
  readonly name: string;
}

/**
 * Adds up batches in their order. A batch was rehearsed without the others, so a person that several batches name comes
 * as several people. The count therefore repeats the rule of the record writer for all records in their order: a record
 * goes to the owner of its strongest identity whose `unique_id` does not differ, and gets the identities that nobody
 * has. The memory grows with the people, and limits bound their number.
 */
export class DryRunCount {
  readonly #people: CountedPerson[] = [];
  readonly #byOrdinal = new Map<number, CountedPerson>();
  /** Owners of identities that no stored profile has. */
  readonly #claims = new Map<string, CountedPerson>();
  readonly #members = new Map<string, number>();
  /** The first segments by name, sorted. */
  #named: NamedSegment[] = [];
  #warnings = 0;

  add({ warnings, segments, people, records, owners }: RehearsedBatch): void {
    this.#warnings += warnings;
    for (const [hash, type, name] of segments) {
      if (this.#members.has(hash)) continue;
      this.#members.set(hash, 0);
      this.#name({ hash, type, name });
    }
    for (const [ordinal, uniqueId] of owners) this.#stored(ordinal, uniqueId);
    const seen = new Set<number>();
    for (const [index, uniqueId, identities, made] of records) {
      const person = this.#targetOf(uniqueId, identities);
      const [ordinal = null, isChanged = false, indexes = []] = people[index] ?? [];
      // The batch alone would make a new person of a record that goes to a stored profile: it adds an identity.
      if (person.kind === 'seen') person.kind = 'unchanged';
      if (person.kind === 'unchanged' && (isChanged || ordinal === null)) person.kind = 'changed';
      for (const at of made) this.#join(person, segments[at]?.[0] ?? '');
      if (seen.has(index)) continue;
      seen.add(index);
      for (const at of indexes) this.#join(person, segments[at]?.[0] ?? '');
    }
  }

  get totals(): DryRunTotals {
    const people = {
      new: this.#number('new'),
      changed: this.#number('changed'),
      unchanged: this.#number('unchanged'),
    };
    const segments = this.#named.map(({ hash, type, name }) => ({
      type,
      name,
      members: this.#members.get(hash) ?? 0,
    }));
    return { people, warnings: this.#warnings, newSegments: { count: this.#members.size, segments } };
  }

  #number(kind: Kind): number {
    return this.#people.reduce((sum, person) => sum + Number(person.kind === kind), 0);
  }

  #targetOf(uniqueId: string | null, identities: RehearsedBatch['records'][number][2]): CountedPerson {
    const held = identities.map(([hash, ordinal]) =>
      ordinal === null ? this.#claims.get(hash) : this.#byOrdinal.get(ordinal),
    );
    const person =
      held.find((owner) => owner && (owner.uniqueId ?? uniqueId) === (uniqueId ?? owner.uniqueId)) ??
      this.#added('new');
    person.uniqueId ??= uniqueId;
    identities.forEach(([hash], index) => {
      if (!held[index]) this.#claims.set(hash, person);
    });
    return person;
  }

  #stored(ordinal: number, uniqueId: string | null): void {
    if (this.#byOrdinal.has(ordinal)) return;
    const person = this.#added('seen');
    person.uniqueId = uniqueId;
    this.#byOrdinal.set(ordinal, person);
  }

  #added(kind: Kind): CountedPerson {
    const person: CountedPerson = { kind, uniqueId: null };
    this.#people.push(person);
    return person;
  }

  #join(person: CountedPerson, segment: string): void {
    person.segments ??= new Set();
    if (person.segments.has(segment)) return;
    person.segments.add(segment);
    this.#members.set(segment, (this.#members.get(segment) ?? 0) + 1);
  }

  /** Keeps the first segments by name. A segment that is pushed out never comes back. */
  #name(segment: NamedSegment): void {
    const last = this.#named.at(-1);
    if (this.#named.length === NAMED_SEGMENTS && last && compare(last, segment) <= 0) return;
    let from = 0;
    let to = this.#named.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#named[middle];
      if (other && compare(other, segment) < 0) from = middle + 1;
      else to = middle;
    }
    this.#named.splice(from, 0, segment);
    this.#named = this.#named.slice(0, NAMED_SEGMENTS);
  }
}

const compare = (one: NamedSegment, other: NamedSegment): number =>
  compareText(one.name, other.name) || compareText(one.type, other.type) || compareText(one.hash, other.hash);

const compareText = (one: string, other: string): number => Number(one > other) - Number(one < other);
