/** Overlay table: a table whose writes stay in memory, over a table that is only read. For rehearsals of writes. */
import { isDeepStrictEqual } from 'node:util';
import type { Key } from './keys.ts';
import type { Attributes, QueryPage, Range, StoredItem, Table, Write, WriteOutcome } from './table.ts';

/** Items by partition and sort key. An item that is not there is `undefined`. */
type Items = Map<string, Map<string, StoredItem | undefined>>;

const partitionOf = (items: Items, pk: string): Map<string, StoredItem | undefined> => {
  const partition = items.get(pk) ?? new Map<string, StoredItem | undefined>();
  items.set(pk, partition);
  return partition;
};

/**
 * A table on top of another table. It reads each item beneath at most once and keeps it, so it shows one snapshot, and it
 * keeps all writes to itself. Conditional writes have the outcomes that the table beneath would give. The memory grows
 * with the items that are read. Queries need both bounds.
 */
export class OverlayTable implements Table {
  readonly #beneath: Pick<Table, 'getMany' | 'query'>;
  readonly #items: Items = new Map();
  readonly #original: Items = new Map();
  #nonce = 0;

  constructor(beneath: Pick<Table, 'getMany' | 'query'>) {
    this.#beneath = beneath;
  }

  async get(key: Key): Promise<StoredItem | undefined> {
    return (await this.getMany([key]))[0];
  }

  async getMany(keys: readonly Key[]): Promise<readonly (StoredItem | undefined)[]> {
    await this.#load(keys);
    return keys.map((key) => this.#items.get(key.pk)?.get(key.sk));
  }

  /** The item as the table beneath has it; `undefined` also for an item that was never read. */
  original(key: Key): StoredItem | undefined {
    return this.#original.get(key.pk)?.get(key.sk);
  }

  async write(write: Write): Promise<WriteOutcome> {
    return (await this.writeMany([write]))[0] ?? 'refused';
  }

  async writeMany(writes: readonly Write[]): Promise<readonly WriteOutcome[]> {
    await this.#load(writes.map(({ key }) => key));
    return writes.map((write) => this.#apply(write));
  }

  transact(): Promise<readonly number[]> {
    return Promise.reject(new Error('table: a rehearsal makes no transactions'));
  }

  put(key: Key, set: Attributes): Promise<void> {
    this.#set(key, set);
    return Promise.resolve();
  }

  async query(pk: string, { from, to }: Range = {}): Promise<QueryPage> {
    if (from === undefined || to === undefined)
      throw new Error('table: a rehearsal queries between bounds only');
    for (const item of (await this.#beneath.query(pk, { from, to })).items) this.#keep(item, item);
    const items = [...partitionOf(this.#items, pk).values()].flatMap((item) =>
      item && item.sk >= from && item.sk <= to ? [item] : [],
    );
    return { items: items.sort((one, other) => (one.sk < other.sk ? -1 : 1)) };
  }

  increment(): Promise<number> {
    return Promise.reject(new Error('table: a rehearsal cannot count'));
  }

  async #load(keys: readonly Key[]): Promise<void> {
    const unread = keys.filter((key) => !this.#knows(key));
    if (unread.length === 0) return;
    const items = await this.#beneath.getMany(unread);
    unread.forEach((key, index) => this.#keep(key, items[index]));
  }

  #knows({ pk, sk }: Key): boolean {
    return this.#items.get(pk)?.has(sk) === true;
  }

  /** Keeps an item as the table beneath has it, unless the item was read before. */
  #keep(key: Key, item: StoredItem | undefined): void {
    if (this.#knows(key)) return;
    partitionOf(this.#items, key.pk).set(key.sk, item);
    partitionOf(this.#original, key.pk).set(key.sk, item);
  }

  #apply(write: Write): WriteOutcome {
    const { pk, sk } = write.key;
    const item = this.#items.get(pk)?.get(sk);
    if (write.kind === 'insert') {
      if (item) return 'refused';
      this.#set(write.key, write.set);
      return 'applied';
    }
    if (item && !hasAll(item, write.expect)) return 'refused';
    if (write.kind === 'delete') {
      partitionOf(this.#items, pk).set(sk, undefined);
      return 'gone';
    }
    if (!item) return 'refused';
    this.#set(write.key, { ...item, ...write.set });
    return 'applied';
  }

  #set({ pk, sk }: Key, set: Readonly<Record<string, unknown>>): void {
    this.#nonce += 1;
    partitionOf(this.#items, pk).set(sk, { ...set, pk, sk, w: `rehearsed-${this.#nonce}` });
  }
}

const hasAll = (item: StoredItem, expect: Attributes): boolean =>
  Object.entries(expect).every(([name, value]) => isDeepStrictEqual(item[name], value));
