import type { Level } from 'dynalite/db/index.js';
import { KeyFilter } from './key-filter.ts';
import { inBatches } from './ranges.ts';

/** Keys read at once from files of an earlier run. */
const BATCH = 1_000;

/**
 * Knows which keys have no item, so that nobody asks the storage for these. LevelDB counts each read that looks into two
 * files, found or not, as a reason to merge them (`Version::UpdateStats`): with the reads that an import of 1,000,000 new
 * people begins with, it merged 28 bytes for each that was written, and 10 without.
 */
export interface KnownKeys {
  /** True only for a key without an item. */
  isAbsent(key: string): boolean;
  /** Ends what is under way; afterwards the storage may be closed. */
  close(): Promise<void>;
}

/**
 * Knows the keys of all writes from here on, whoever makes them. Of files of an earlier run it learns the others, from the
 * first question on.
 */
export const knownKeys = async (db: Level): Promise<KnownKeys> => {
  const filter = new KeyFilter();
  addWritten(filter, db);
  const closing = new AbortController();
  let complete = (await db.keys({ limit: 1 }).all()).length === 0;
  let learnt: Promise<void> | undefined;
  const learn = async (): Promise<void> => {
    for await (const keys of inBatches(db.keys({}), BATCH)) {
      for (const key of keys) filter.add(key);
      if (closing.signal.aborted) return;
    }
    complete = true;
  };
  return {
    isAbsent: (key) => {
      // Files that cannot be read say so to whoever reads an item.
      if (!complete) learnt ??= learn().catch(() => undefined);
      return complete && !filter.mayHave(key);
    },
    close: async () => {
      closing.abort();
      await learnt;
    },
  };
};

/** Adds each key before it is written. */
const addWritten = (filter: KeyFilter, db: Level): void => {
  const { put, batch } = db;
  db.put = (key, value, done) => {
    filter.add(key);
    return put(key, value, done);
  };
  db.batch = (writes, done) => {
    for (const { type, key } of writes) if (type === 'put') filter.add(key);
    return batch(writes, done);
  };
};
