/** Storage engine: reads and writes dynalite's storage directly, under its key locks. */
import db, { type LevelWrite, type Store } from 'dynalite/db/index.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ServiceError } from '../../core/service-error.ts';
import { EarlierStates } from './earlier-states.ts';
import { itemKey, storedKey } from './item-keys.ts';
import { knownKeys } from './known-keys.ts';
import { fastRanges } from './ranges.ts';
import { unlimited, type Throughput } from './throughput.ts';
import type { Item, KeySchemaTable } from './types.ts';

/** An item before and after a write; `undefined` means that the item does not exist. */
export interface Change {
  readonly key: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/**
 * dynalite's storage without its HTTP server. Reads of single items are synchronous. Writes are one LevelDB batch under
 * dynalite's own key locks, so that dynalite's actions and the engine never interleave on a key.
 */
export interface Engine {
  readonly store: Store;
  readonly throughput: Throughput;
  table(name: string): KeySchemaTable;
  addTable(table: KeySchemaTable): void;
  keyOf(table: KeySchemaTable, key: Item): string;
  read(table: KeySchemaTable, key: string): Item | undefined;
  /** The state of an item before its last write; undefined for items that were not written recently. */
  earlier(table: KeySchemaTable, key: string): { readonly item: Item | undefined } | undefined;
  /** Records the state of an item before a write of dynalite's own actions. */
  noteEarlier(table: KeySchemaTable, key: string, item: Item | undefined): void;
  /** Runs `decide` under the locks of the keys, then writes its result in one batch. */
  write(table: KeySchemaTable, keys: readonly string[], decide: () => readonly Change[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Size of LevelDB's write buffer and of its files. With LevelDB's defaults of 4 and 2 MB, an import spends several times
 * as much on merging files (per row of a large import: 65 µs with 16 and 2 MB, 32 µs with these sizes).
 */
const files = { writeBufferSize: 32 * 1024 * 1024, maxFileSize: 8 * 1024 * 1024 };

/** Opens the storage, with LevelDB files in `dataDir` or in memory. Without a throughput, it never throttles. */
export const openEngine = async (dataDir?: string, throughput: Throughput = unlimited): Promise<Engine> => {
  const store = db.create({
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    ...(dataDir ? { path: dataDir } : {}),
  });
  await store.db.open(files);
  const known = await knownKeys(store.db);
  const commit = groupCommit(store);
  const tables = new Map<string, KeySchemaTable>();
  const earlier = new EarlierStates();
  return {
    store,
    throughput,
    table: (name) => {
      const table = tables.get(name);
      if (!table) throw new ServiceError('ResourceNotFoundException', 'Requested resource not found');
      return table;
    },
    addTable: (table) => {
      tables.set(table.TableName, table);
      fastRanges(store, table.TableName);
    },
    keyOf: itemKey,
    read: (table, key) => {
      const name = storedKey(table.TableName, key);
      return known.isAbsent(name) ? undefined : store.db.getSync(name);
    },
    earlier: (table, key) => earlier.of(storedKey(table.TableName, key)),
    noteEarlier: (table, key, item) => earlier.note(storedKey(table.TableName, key), item),
    write: async (table, keys, decide) => {
      const release = await enter(store, table, keys);
      try {
        const changes = decide();
        if (table.GlobalSecondaryIndexes) await updateIndexes(store, table, changes);
        if (changes.length > 0) await commit(changes.map((change) => levelWrite(table, change)));
        for (const { key, before } of changes) earlier.note(storedKey(table.TableName, key), before);
      } finally {
        release();
      }
    },
    close: async () => {
      await known.close();
      await store.db.close();
    },
  };
};

const levelWrite = (table: KeySchemaTable, change: Change): LevelWrite =>
  change.after === undefined
    ? { type: 'del', key: storedKey(table.TableName, change.key) }
    : { type: 'put', key: storedKey(table.TableName, change.key), value: change.after };

/**
 * Collects all writes of one turn of the event loop into one LevelDB batch, because each batch takes a trip to another
 * thread. The locks last until the batch is written, so no key comes twice. A failure of the batch fails all its writes.
 */
const groupCommit = (store: Store): ((writes: readonly LevelWrite[]) => Promise<void>) => {
  let open: { readonly writes: LevelWrite[]; readonly written: Promise<void> } | undefined;
  const start = (): NonNullable<typeof open> => {
    const writes: LevelWrite[] = [];
    const written = nextTurn().then(() => {
      open = undefined;
      return store.db.batch(writes);
    });
    return { writes, written };
  };
  return (writes) => {
    open ??= start();
    open.writes.push(...writes);
    return open.written;
  };
};

/** Waits for the locks of all keys. A waiter queues on all its keys at the same time, so waiters cannot deadlock. */
const enter = (store: Store, table: KeySchemaTable, keys: readonly string[]): Promise<() => void> =>
  new Promise((resolve) => {
    store.getItemDb(table.TableName).lock(keys, (release) => resolve(release(() => undefined)));
  });

const updateIndexes = async (
  store: Store,
  table: KeySchemaTable,
  changes: readonly Change[],
): Promise<void> => {
  const update = promisify(db.updateIndexes);
  for (const { before, after } of changes) await update(store, table, before, after);
};
