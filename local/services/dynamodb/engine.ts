/** Storage engine: reads and writes dynalite's storage directly, under its key locks. */
import db, { type LevelWrite, type Store } from 'dynalite/db/index.js';
import { promisify } from 'node:util';
import { ServiceError } from '../../core/service-error.ts';
import { EarlierStates } from './earlier-states.ts';
import { openFiles } from './files.ts';
import { itemKey, storedKey } from './item-keys.ts';
import { KeyLocks, useLocks } from './key-locks.ts';
import { keepInMemory } from './memory.ts';
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
 * dynalite's storage without its HTTP server. Reads of single items are synchronous. Writes happen under
 * locks of their keys that dynalite's actions also use, so that both never interleave on a key.
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

/** Opens the storage, with LevelDB files in `dataDir` or in memory. Without a throughput, it never throttles. */
export const openEngine = async (dataDir?: string, throughput: Throughput = unlimited): Promise<Engine> => {
  const store = db.create({
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    ...(dataDir ? { path: dataDir } : {}),
  });
  const storage = dataDir ? await openFiles(store.db) : keepInMemory(store.db);
  const tables = new Map<string, KeySchemaTable>();
  const locks = new KeyLocks();
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
      useLocks(store.getItemDb(table.TableName), table.TableName, locks);
      fastRanges(store, table.TableName);
    },
    keyOf: itemKey,
    read: (table, key) => storage.read(storedKey(table.TableName, key)),
    earlier: (table, key) => earlier.of(storedKey(table.TableName, key)),
    noteEarlier: (table, key, item) => earlier.note(storedKey(table.TableName, key), item),
    write: async (table, keys, decide) => {
      const names = keys.map((key) => storedKey(table.TableName, key));
      await locks.enter(names);
      try {
        const changes = decide();
        if (table.GlobalSecondaryIndexes) await updateIndexes(store, table, changes);
        const writes = changes.map((change) => levelWrite(table, change));
        if (writes.length > 0) await storage.write(writes);
        changes.forEach(({ before }, index) => earlier.note(writes[index]?.key ?? '', before));
      } finally {
        locks.leave(names);
      }
    },
    close: () => storage.close(),
  };
};

const levelWrite = (table: KeySchemaTable, change: Change): LevelWrite =>
  change.after === undefined
    ? { type: 'del', key: storedKey(table.TableName, change.key) }
    : { type: 'put', key: storedKey(table.TableName, change.key), value: change.after };

const updateIndexes = async (
  store: Store,
  table: KeySchemaTable,
  changes: readonly Change[],
): Promise<void> => {
  const update = promisify(db.updateIndexes);
  for (const { before, after } of changes) await update(store, table, before, after);
};
