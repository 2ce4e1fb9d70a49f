import type { Level, Store } from 'dynalite/db/index.js';
import { KeyFilter } from './key-filter.ts';

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
  /** To be called before an item is written. */
  add(key: string): void;
  /** Ends what is under way; afterwards the storage may be closed. */
  close(): Promise<void>;
}

/** Begins with an empty storage; with files of an earlier run, it learns their keys from the first question on. */
export const knownKeys = async (db: Level): Promise<KnownKeys> => {
  const filter = new KeyFilter();
  const learning = new AbortController();
  let complete = await isEmpty(db);
  let learnt: Promise<void> | undefined;
  const learn = async (): Promise<void> => {
    const keys = db.keys({});
    try {
      while (!learning.signal.aborted) {
        const batch = await keys.nextv(BATCH);
        for (const key of batch) filter.add(key);
        if (batch.length === 0) complete = true;
        if (complete) return;
      }
    } finally {
      await keys.close();
    }
  };
  return {
    isAbsent: (key) => {
      // Files that cannot be read say so to whoever reads an item.
      if (!complete) learnt ??= learn().catch(() => undefined);
      return complete && !filter.mayHave(key);
    },
    add: (key) => filter.add(key),
    close: async () => {
      learning.abort();
      await learnt;
    },
  };
};

const isEmpty = async (db: Level): Promise<boolean> => {
  const keys = db.keys({ limit: 1 });
  try {
    return (await keys.nextv(1)).length === 0;
  } finally {
    await keys.close();
  }
};

/** Notes the keys that dynalite's own actions write into a table's items. */
export const noteWrites = (store: Store, table: string, known: KnownKeys): void => {
  const items = store.getItemDb(table);
  const { put } = items;
  items.put = (key, value, done) => {
    known.add(`item-${table}~${key}`);
    put(key, value, done);
  };
};
