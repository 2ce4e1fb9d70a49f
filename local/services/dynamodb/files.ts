/** Items in files: LevelDB with its known keys, and the items written last. */
import type { Done, Level, LevelWrite } from 'dynalite/db/index.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isHistory } from './history.ts';
import { knownKeys } from './known-keys.ts';
import { Recent } from './recent.ts';
import { copyOf, type Storage } from './storage.ts';
import type { Item } from './types.ts';

/**
 * Size of LevelDB's write buffer and of its files. With LevelDB's defaults of 4 and 2 MB, an import spends several times
 * as much on merging files (per row of a large import: 65 µs with 16 and 2 MB, 32 µs with these sizes).
 */
const files = { writeBufferSize: 32 * 1024 * 1024, maxFileSize: 8 * 1024 * 1024 };

/** Number of items, those written last, that are read without LevelDB and without parsing. */
const KEPT = 10_000;

/** Opens LevelDB. */
export const openFiles = async (db: Level): Promise<Storage> => {
  await db.open(files);
  const known = await knownKeys(db);
  const recent = rememberWritten(db);
  return {
    read: (key) => {
      const kept = recent.get(key);
      if (kept) return kept.item;
      return known.isAbsent(key) ? undefined : db.getSync(key);
    },
    write: groupCommit(db, recent),
    close: async () => {
      await known.close();
      await db.close();
    },
  };
};

/** The state of a written item; `item` is undefined after its deletion. */
interface Written {
  readonly item: Item | undefined;
}

/**
 * Keeps the items written last. An item shows its new state once LevelDB has it, so that nobody reads what a crash could
 * take back. dynalite may change an item after its write, so a copy is kept.
 */
const rememberWritten = (db: Level): Recent<Written> => {
  const recent = new Recent<Written>(KEPT);
  const { put, del } = db;
  db.put = (key, value, done) => {
    const item = copyOf(value);
    return noting(
      done,
      () => recent.set(key, { item }),
      (told) => put(key, value, told),
    );
  };
  db.del = (key, done) =>
    noting(
      done,
      () => recent.set(key, { item: undefined }),
      (told) => del(key, told),
    );
  return recent;
};

/** Runs a write of dynalite, and notes its success before dynalite hears of it. */
const noting = (
  done: Done | undefined,
  note: () => void,
  write: (told: Done | undefined) => Promise<void> | undefined,
): Promise<void> | undefined => {
  if (!done) return write(undefined)?.then(note);
  return write((error) => {
    if (!error) note();
    done(error);
  });
};

/**
 * Collects all writes of one turn of the event loop into one LevelDB batch, because each batch takes a trip to another
 * thread. The locks last until the batch is written, so no key comes twice. A failure of the batch fails all its writes.
 */
const groupCommit = (db: Level, recent: Recent<Written>): Storage['write'] => {
  let open: { readonly writes: LevelWrite[]; readonly written: Promise<void> } | undefined;
  const start = (): NonNullable<typeof open> => {
    const writes: LevelWrite[] = [];
    const written = nextTurn().then(async () => {
      open = undefined;
      await db.batch(writes);
      for (const write of writes.filter(({ key }) => !isHistory(key)))
        recent.set(write.key, { item: write.type === 'put' ? write.value : undefined });
    });
    return { writes, written };
  };
  return (writes) => {
    open ??= start();
    open.writes.push(...writes);
    return open.written;
  };
};
