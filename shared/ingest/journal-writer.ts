/**
 * Journal writer: announces membership changes in the journal before profile writes, so that the drainer can
 * index them after a crash (a write-ahead log).
 */
import type { BrandVersions, BrandVersionSource } from '../catalogue/brand-versions.ts';
import type { Pair } from '../catalogue/types.ts';
import type { GroupCommit } from '../membership/group-commit.ts';
import type { EntryOptions, Journal, JournalEntry } from '../membership/journal.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Person } from './batch-person.ts';
import { indexChange, type SegmentIds } from './index-change.ts';

/** The journal operations that the record writer uses. */
export type ChangeJournal = Pick<Journal, 'open' | 'extend' | 'close' | 'retire'>;

/** Who updates the index: the writer, before it answers, or the drainer, some time later. */
export type IndexMode = 'now' | 'later';

/** The journal entry of one batch. `open` creates or extends it; `commit`, `close` or `retire` ends it. */
export class JournalWriter {
  readonly #journal: ChangeJournal;
  readonly #property: number;
  readonly #attemptId: string;
  readonly #options: EntryOptions;
  readonly #pairs: Pair[] = [];
  #entry: JournalEntry | undefined;

  constructor(journal: ChangeJournal, property: number, attemptId: string, options: EntryOptions) {
    this.#journal = journal;
    this.#property = property;
    this.#attemptId = attemptId;
    this.#options = options;
  }

  /** Announces the memberships that the next profile writes may change. */
  async open(pairs: readonly Pair[]): Promise<void> {
    const fresh = this.#entry ? without(pairs, this.#pairs) : pairs;
    this.#pairs.push(...fresh);
    if (fresh.length > 0) {
      this.#entry = this.#entry
        ? await this.#journal.extend(this.#entry, fresh)
        : await this.#journal.open(this.#property, this.#attemptId, fresh, this.#options);
    }
  }

  /** Sends profile writes. No write goes out after the deadline of the entry; `UnavailableError` is thrown then. */
  async writeBeforeDeadline<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
    return this.#entry ? withDeadline({ clock, until: this.#entry.writeUntil }, work) : work();
  }

  /** Indexes the announced memberships, alone or together with other requests. */
  async commit(commit: GroupCommit): Promise<void> {
    if (!this.#entry) return;
    if (await commit.alone(this.#property, this.#pairs)) return this.retire();
    await this.close();
    await commit.untilIndexed(this.#entry);
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

const without = (pairs: readonly Pair[], known: readonly Pair[]): readonly Pair[] => {
  const names = new Set(known.map(nameOf));
  return pairs.filter((pair) => !names.has(nameOf(pair)));
};

const nameOf = ({ segment, ordinal }: Pair): string => `${segment} ${ordinal}`;

interface JournalDeps {
  readonly segments: SegmentIds;
  readonly brands: BrandVersionSource;
}

/** The profile writes that a journal entry announces. */
interface AnnouncedWrites {
  readonly writing: readonly Person[];
  readonly now: number;
  /** Timestamps of records that may be stored already, by person. */
  readonly repeatedStamps: ReadonlyMap<Person, ReadonlySet<HybridTimestamp>> | undefined;
}

/**
 * Opens the journal for the segments that writing these persons changes, under every brand version in use. When a new
 * version appears meanwhile, the loop covers that version too: a version takes effect only after every write is stored
 * that was announced without it. Returns the persons with a segment that the property has no quota for.
 */
export const openJournal = async (
  { segments, brands }: JournalDeps,
  scope: PropertyScope,
  journal: JournalWriter,
  { writing, now, repeatedStamps }: AnnouncedWrites,
): Promise<ReadonlySet<Person>> => {
  const persons = repeatedStamps ? [...new Set([...writing, ...repeatedStamps.keys()])] : writing;
  for (let known: BrandVersions = await brands(); ;) {
    const context = { now, brands: known.all, ...(repeatedStamps ? { repeatedStamps } : {}) };
    const { pairs, beyondLimit } = await indexChange(segments, scope.id, persons, context);
    await journal.open(pairs);
    const later = await brands();
    if (later === known) return beyondLimit;
    known = later;
  }
};
