/** Storage engine: reads and writes dynalite's storage directly, under its key locks. */
import db, { type LevelWrite, type Store } from 'dynalite/db/index.js';
import { promisify } from 'node:util';
import { ServiceError } from '../../core/service-error.ts';
import { Background } from './background.ts';
import { TableControls } from './controls.ts';
import { EarlierStates } from './earlier-states.ts';
import { openFiles } from './files.ts';
import { Histories } from './histories.ts';
import { clearRange } from './history.ts';
import { itemKey, storedKey } from './item-keys.ts';
import { KeyLocks, useLocks } from './key-locks.ts';
import { keepInMemory } from './memory.ts';
import { fastRanges, inBatches } from './ranges.ts';
import type { Storage } from './storage.ts';
import { unlimited, type Throughput } from './throughput.ts';
import { Tokens } from './tokens.ts';
import type { Item, KeySchemaTable } from './types.ts';

/** An item before and after a write; `undefined` means that the item does not exist. */
export interface Change {
  readonly key: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** An item to put, or the key of an item to delete. */
export type Loaded = Omit<Change, 'before'>;

/** Options of the storage. */
export interface EngineOptions {
  /** Folder of the LevelDB files. Without it everything is in memory. */
  readonly dataDir?: string | undefined;
  /** Without it, the tables never throttle. */
  readonly throughput?: Throughput | undefined;
  readonly now?: (() => number) | undefined;
  /** The most bytes of the history of a table. */
  readonly historyBytes?: number | undefined;
}

/** Items per read of a whole table. */
const BATCH = 500;

/** Opens the storage. */
export const openEngine = async (options: EngineOptions = {}) => {
  const { dataDir, throughput = unlimited, now = Date.now } = options;
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
  const controls = await TableControls.open(store.db, storage);
  const histories = new Histories({ db: store.db, storage, controls, now, mostBytes: options.historyBytes });
  const background = new Background();
  return {
    store,
    throughput,
    controls,
    histories,
    background,
    /** The transactions that were made not long ago. */
    tokens: new Tokens(now),
    /** Milliseconds since the epoch. */
    now,
    ...wholeTables(store, storage, controls),
    table: (name: string): KeySchemaTable => {
      const table = tables.get(name);
      if (!table) throw new ServiceError('ResourceNotFoundException', 'Requested resource not found');
      return table;
    },
    addTable: (table: KeySchemaTable) => {
      tables.set(table.TableName, table);
      useLocks(store.getItemDb(table.TableName), table.TableName, locks);
      fastRanges(store, table.TableName);
    },
    keyOf: itemKey,
    read: (table: KeySchemaTable, key: string): Item | undefined => storage.read(keyIn(table, key)),
    /** The state of an item before its last write; undefined for items that were not written recently. */
    earlier: (table: KeySchemaTable, key: string) => earlier.of(keyIn(table, key)),
    /** Records the state of an item before a write of dynalite's own actions. */
    noteEarlier: (table: KeySchemaTable, key: string, item: Item | undefined) =>
      earlier.note(keyIn(table, key), item),
    /** Runs `decide` under the locks of the keys, then writes its result in one batch. */
    write: async (table: KeySchemaTable, keys: readonly string[], decide: () => readonly Change[]) => {
      const names = keys.map((key) => keyIn(table, key));
      await locks.enter(names);
      try {
        const changes = decide();
        if (table.GlobalSecondaryIndexes) await updateIndexes(store, table, changes);
        const writes = changes.map((change) => levelWrite(table, change));
        const noted = histories.of(table.TableName)?.entries(changes) ?? [];
        if (writes.length > 0) await storage.write(noted.length > 0 ? [...noted, ...writes] : writes);
        changes.forEach(({ before }, index) => earlier.note(writes[index]?.key ?? '', before));
      } finally {
        locks.leave(names);
      }
    },
    close: async () => {
      await background.close();
      await histories.close();
      await storage.close();
    },
  };
};

/**
 * dynalite's storage without its HTTP server. Reads of single items are synchronous. Writes happen under
 * locks of their keys that dynalite's actions also use, so that both never interleave on a key.
 */
export type Engine = Awaited<ReturnType<typeof openEngine>>;

const keyIn = (table: KeySchemaTable, key: string): string => storedKey(table.TableName, key);

const itemsOf = (table: string) => ({ gte: storedKey(table, ''), lt: storedKey(table, '\xff') });

/** What restores and the expiry do with a table as a whole. */
const wholeTables = (store: Store, storage: Storage, controls: TableControls) => ({
  /** All items of a table, in batches. */
  items: (table: string): AsyncGenerator<Item[], void> => inBatches(store.db.values(itemsOf(table)), BATCH),
  /** Puts the items of a table that nobody uses yet. */
  load: async (table: KeySchemaTable, items: readonly Loaded[]) => {
    const changes = items.map(({ key, after }) => ({
      ...{ key, after },
      before: storage.read(keyIn(table, key)),
    }));
    if (table.GlobalSecondaryIndexes) await updateIndexes(store, table, changes);
    await storage.write(items.map((item) => levelWrite(table, item)));
  },
  /** Deletes a table and its items. */
  removeTable: async (table: string) => {
    await clearRange(store.db, storage, itemsOf(table));
    await storage.write([{ type: 'del', key: `table~${table}` }]);
    await controls.remove(table);
  },
});

const levelWrite = (table: KeySchemaTable, change: Loaded): LevelWrite =>
  change.after === undefined
    ? { type: 'del', key: keyIn(table, change.key) }
    : { type: 'put', key: keyIn(table, change.key), value: change.after };

const updateIndexes = async (
  store: Store,
  table: KeySchemaTable,
  changes: readonly Change[],
): Promise<void> => {
  const update = promisify(db.updateIndexes);
  for (const { before, after } of changes) await update(store, table, before, after);
};
