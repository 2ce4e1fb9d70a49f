/** History: keeps what the items of a table were before its writes, for restores to a point in time. */
import type { Level, LevelWrite } from 'dynalite/db/index.js';
import * as v from 'valibot';
import { inBatches } from './ranges.ts';
import { itemBytes } from './sizes.ts';
import type { Storage } from './storage.ts';
import type { Item } from './types.ts';

/** What a table keeps at most: the bytes of earlier items and their keys. The oldest go first. */
const MOST_BYTES = 256 * 1024 * 1024;

/** What a pruning leaves, so that it does not run at each write. */
const LEFT_BYTES = 0.9 * MOST_BYTES;

/** Entries per read. */
const BATCH = 1_000;

/** Digits of a position in a key. Keys then sort by age. */
const DIGITS = 16;

const DAY_MS = 24 * 60 * 60 * 1000;

/** An item before a write; `undefined` means that it did not exist. */
export interface Before {
  readonly key: string;
  readonly before: Item | undefined;
}

const Entry = v.object({
  key: v.object({ S: v.string() }),
  at: v.object({ N: v.pipe(v.string(), v.transform(Number)) }),
  position: v.object({ N: v.pipe(v.string(), v.transform(Number)) }),
  before: v.optional(v.object({ M: v.custom<Item>((item) => typeof item === 'object' && item !== null) })),
});
type Entry = v.InferOutput<typeof Entry>;

const prefixOf = (table: string): string => `history-${table}~`;

/** True for the keys of histories in the storage. They are read in ranges only. */
export const isHistory = (key: string): boolean => key.startsWith('history-');

/** Where a history is kept, and since when it is whole. */
export interface HistoryOptions {
  readonly db: Level;
  readonly storage: Storage;
  readonly table: string;
  readonly now: () => number;
  readonly since: number;
  readonly days: number;
  /** The most bytes. The default is 256 MB. */
  readonly mostBytes?: number | undefined;
  /** Keeps the time since which the history is whole. */
  readonly keepSince: (since: number) => Promise<void>;
}

/**
 * The changes of a table. Each entry has the time of a write and the item before it, under its position: the bytes of
 * all entries before it. So the first and the last entry tell the size of the history.
 */
export class History {
  readonly #options: HistoryOptions;
  #first: number;
  #end: number;
  #since: number;
  #last = 0;
  #holds = 0;
  #pruning: Promise<void> | undefined;

  private constructor(options: HistoryOptions, first: number, end: number) {
    this.#options = options;
    this.#first = first;
    this.#end = end;
    this.#since = options.since;
  }

  /** Opens the history of a table, with the entries of earlier runs. */
  static async open(options: HistoryOptions): Promise<History> {
    const bound = async (reverse: boolean): Promise<number | undefined> => {
      const [found] = await options.db.values({ ...rangeOf(options.table), reverse, limit: 1 }).all();
      return found && v.parse(Entry, found).position.N;
    };
    const first = (await bound(false)) ?? 0;
    return new History(options, first, ((await bound(true)) ?? -1) + 1);
  }

  /** The earliest time that a restore can reach. */
  get earliest(): number {
    return Math.max(this.#since, this.#options.now() - this.#options.days * DAY_MS);
  }

  /** The entries to write with, or before, the changes of items. */
  entries(changes: readonly Before[]): LevelWrite[] {
    this.#last = Math.max(this.#last, this.#options.now());
    const writes = changes.map(({ key, before }): LevelWrite => {
      const position = this.#end;
      this.#end += key.length + (before ? itemBytes(before) : 0);
      const value = {
        key: { S: key },
        at: { N: String(this.#last) },
        position: { N: String(position) },
        ...(before ? { before: { M: before } } : {}),
      };
      return { type: 'put', key: this.#keyOf(position), value };
    });
    if (this.#end - this.#first > this.#most) this.#pruning ??= this.#prune();
    return writes;
  }

  /** Keeps everything until the end of a use that may reach back to the earliest time of now. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
    };
  }

  /**
   * The items that writes after a time have changed, from the last write to the first. Whoever puts all of them in this
   * order has the items of that time. The caller holds the history.
   */
  async *changesSince(time: number): AsyncGenerator<Before[], void> {
    await this.#pruning;
    if (this.#since > time)
      throw new Error('The history lost the time of a restore before the restore began');
    const { db, table } = this.#options;
    for await (const batch of inBatches(db.values({ ...rangeOf(table), reverse: true }), BATCH)) {
      const entries = batch.map((one) => v.parse(Entry, one));
      const late = entries.filter(({ at }) => at.N > time);
      yield late.map(({ key, before }) => ({ key: key.S, before: before?.M }));
      if (late.length < entries.length) return;
    }
  }

  /** Waits for work in the background. */
  async close(): Promise<void> {
    await this.#pruning;
  }

  /** Forgets everything. */
  async clear(): Promise<void> {
    await this.#pruning;
    await clearRange(this.#options.db, this.#options.storage, rangeOf(this.#options.table));
  }

  get #most(): number {
    return this.#options.mostBytes ?? MOST_BYTES;
  }

  #keyOf(position: number): string {
    return `${prefixOf(this.#options.table)}${String(position).padStart(DIGITS, '0')}`;
  }

  async #prune(): Promise<void> {
    const { db, storage, table, keepSince } = this.#options;
    try {
      for await (const batch of inBatches(db.values(rangeOf(table)), BATCH)) {
        if (this.#holds > 0) return;
        const old = batch.map((one) => v.parse(Entry, one)).filter((one) => this.#isOld(one));
        const last = old.at(-1);
        if (last === undefined) return;
        this.#since = Math.max(this.#since, last.at.N);
        await keepSince(this.#since);
        await storage.write(old.map(({ position }) => ({ type: 'del', key: this.#keyOf(position.N) })));
        this.#first = last.position.N + 1;
        if (old.length < batch.length) return;
      }
    } finally {
      this.#pruning = undefined;
    }
  }

  #isOld({ at, position }: Entry): boolean {
    const left = LEFT_BYTES * (this.#most / MOST_BYTES);
    return position.N < this.#end - left || at.N < this.earliest;
  }
}

const rangeOf = (table: string) => ({ gte: prefixOf(table), lt: `${prefixOf(table)}\xff` });

/** Deletes all entries of a range of the storage. */
export const clearRange = async (
  db: Level,
  storage: Storage,
  range: { readonly gte: string; readonly lt: string },
): Promise<void> => {
  for await (const keys of inBatches(db.keys(range), BATCH))
    await storage.write(keys.map((key) => ({ type: 'del', key })));
};
