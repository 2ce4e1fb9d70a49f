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

/**
 * dynalite's storage without its HTTP server. Reads of single items are synchronous. Writes happen under
 * locks of their keys that dynalite's actions also use, so that both never interleave on a key.
 */
export interface Engine {
  readonly store: Store;
  readonly throughput: Throughput;
  readonly controls: TableControls;
  readonly histories: Histories;
  readonly background: Background;
  /** The transactions that were made not long ago. */
  readonly tokens: Tokens;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
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
  /** All items of a table, in batches. */
  items(table: string): AsyncGenerator<Item[], void>;
  /** Puts the items of a table that nobody uses yet. */
  load(table: KeySchemaTable, items: readonly Loaded[]): Promise<void>;
  /** Deletes a table and its items. */
  removeTable(table: string): Promise<void>;
  close(): Promise<void>;
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
export const openEngine = async (options: EngineOptions = {}): Promise<Engine> => {
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
  const { db: level } = store;
  const histories = new Histories({ db: level, storage, controls, now, mostBytes: options.historyBytes });
  const background = new Background();
  return {
    store,
    throughput,
    controls,
    histories,
    background,
    tokens: new Tokens(now),
    now,
    ...wholeTables(store, storage, controls),
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

const itemsOf = (table: string) => ({ gte: storedKey(table, ''), lt: storedKey(table, '\xff') });

/** What restores and the expiry do with a table as a whole. */
const wholeTables = (
  store: Store,
  storage: Storage,
  controls: TableControls,
): Pick<Engine, 'items' | 'load' | 'removeTable'> => ({
  items: (table) => inBatches(store.db.values(itemsOf(table)), BATCH),
  load: async (table, items) => {
    const changes = items.map(({ key, after }) => ({
      ...{ key, after },
      before: storage.read(storedKey(table.TableName, key)),
    }));
    if (table.GlobalSecondaryIndexes) await updateIndexes(store, table, changes);
    await storage.write(items.map((item) => levelWrite(table, item)));
  },
  removeTable: async (table) => {
    await clearRange(store.db, storage, itemsOf(table));
    await storage.write([{ type: 'del', key: `table~${table}` }]);
    await controls.remove(table);
  },
});

const levelWrite = (table: KeySchemaTable, change: Loaded): LevelWrite =>
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
