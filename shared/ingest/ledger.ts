import type { Journal, JournalEntry } from '../membership/journal.ts';
import type { Pair } from '../catalogue/types.ts';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { PropertyScope } from '../properties/scope.ts';

/** The journal of memberships that may change, as the writer of profiles uses it. */
export type ChangeJournal = Pick<Journal, 'open' | 'extend' | 'done' | 'retire'>;

/** Brings memberships up to date with the profiles. */
export interface Reindex {
  reindex(property: { readonly id: number }, pairs: readonly Pair[]): Promise<void>;
}

/** Who brings the index up to date: the writer at once, or the drainer from the journal. */
export type IndexMode = 'now' | 'later';

/** The journal entry of one batch: opened when there is something to announce, and settled at its end. */
export class Ledger {
  readonly #journal: ChangeJournal;
  readonly #membership: Reindex;
  readonly #scope: PropertyScope;
  readonly #cause: string;
  readonly #forgets: number | undefined;
  readonly #pairs: Pair[] = [];
  #entry: JournalEntry | undefined;

  /** `forgets` is the ordinal of a person who is about to be forgotten. */
  constructor(
    journal: ChangeJournal,
    membership: Reindex,
    scope: PropertyScope,
    cause: string,
    forgets?: number,
  ) {
    this.#journal = journal;
    this.#membership = membership;
    this.#scope = scope;
    this.#cause = cause;
    this.#forgets = forgets;
  }

  /** Announces what the profile writes about to be sent may change. */
  async announce(pairs: readonly Pair[]): Promise<void> {
    const fresh = this.#entry ? without(pairs, this.#pairs) : pairs;
    this.#pairs.push(...fresh);
    if (fresh.length > 0)
      this.#entry = this.#entry
        ? await this.#journal.extend(this.#entry, fresh)
        : await this.#journal.open(this.#scope.id, this.#cause, fresh, this.#forgets);
  }

  /** Writes profiles. No write goes out when the announcement's time for it is over; `UnavailableError` is thrown then. */
  async write<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
    return this.#entry ? withDeadline({ clock, until: this.#entry.writeUntil }, work) : work();
  }

  /** Indexes what was announced, or leaves it to the drainer. */
  async settle(index: IndexMode): Promise<void> {
    if (!this.#entry) return;
    if (index === 'later') {
      if (await this.#journal.done(this.#entry)) return;
      // A drainer may have indexed before the last profile write was there: announced again, it is indexed again.
      await this.#journal.done(await this.#journal.extend(this.#entry, this.#pairs));
      return;
    }
    await this.#membership.reindex(this.#scope, this.#pairs);
    await this.retire();
  }

  /** Retires the announcement, all of which is indexed. */
  async retire(): Promise<void> {
    if (this.#entry) await this.#journal.retire(this.#entry);
  }
}

const without = (pairs: readonly Pair[], known: readonly Pair[]): readonly Pair[] => {
  const names = new Set(known.map(nameOf));
  return pairs.filter((pair) => !names.has(nameOf(pair)));
};

const nameOf = ({ segment, ordinal }: Pair): string => `${segment} ${ordinal}`;
