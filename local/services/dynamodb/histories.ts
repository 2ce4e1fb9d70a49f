/** Histories: the histories of the tables with point-in-time recovery, and the writes that they note. */
import type { Done, Level } from 'dynalite/db/index.js';
import type { TableControls } from './controls.ts';
import { History } from './history.ts';
import { tableOfKey } from './item-keys.ts';
import type { Storage } from './storage.ts';

/** What histories need of the engine. */
export interface HistoriesOptions {
  readonly db: Level;
  readonly storage: Storage;
  readonly controls: TableControls;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The most bytes of the history of a table. */
  readonly mostBytes?: number | undefined;
}

/** The histories by table. A table without one costs a look-up for each batch of writes. */
export class Histories {
  readonly #options: HistoriesOptions;
  readonly #byTable = new Map<string, History>();

  constructor(options: HistoriesOptions) {
    this.#options = options;
    this.#noteOtherWrites();
  }

  /** The history of a table; undefined without point-in-time recovery. */
  of(table: string): History | undefined {
    return this.#byTable.get(table);
  }

  /** Begins the history of a table, or goes on with the history of an earlier run. */
  async keep(table: string, recovery: { readonly since: number; readonly days: number }): Promise<void> {
    const { controls, db, storage, now, mostBytes } = this.#options;
    const { since, days } = recovery;
    const keepSince = (later: number) => controls.change(table, { recovery: { days, since: later } });
    const place = { db, storage, table, now, mostBytes };
    this.#byTable.set(table, await History.open({ ...place, since, days, keepSince }));
  }

  /** Ends the history of a table, and forgets it. */
  async drop(table: string): Promise<void> {
    const history = this.#byTable.get(table);
    this.#byTable.delete(table);
    await history?.clear();
  }

  /** Waits for work in the background. */
  async close(): Promise<void> {
    await Promise.all([...this.#byTable.values()].map((history) => history.close()));
  }

  /**
   * Makes the writes of dynalite's actions note what they change. The entry is written first: an entry whose write never
   * happened changes nothing in a restore.
   */
  #noteOtherWrites(): void {
    const { db, storage } = this.#options;
    const { put, del } = db;
    const noting = (
      key: string,
      done: Done | undefined,
      write: () => Promise<void> | undefined,
    ): Promise<void> | undefined => {
      const place = this.#byTable.size === 0 ? undefined : tableOfKey(key);
      const history = place && this.of(place.table);
      if (!history) return write();
      const noted = storage.write(history.entries([{ key: place.key, before: storage.read(key) }]));
      return done ? void noted.then(write, done) : noted.then(write);
    };
    db.put = (key, value, done) => noting(key, done, () => put(key, value, done));
    db.del = (key, done) => noting(key, done, () => del(key, done));
  }
}
