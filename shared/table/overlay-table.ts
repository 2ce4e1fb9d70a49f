/** Overlay table: a table whose writes stay in memory, over a table that is only read. For rehearsals of writes. */
import { isDeepStrictEqual } from 'node:util';
import type { Key } from './keys.ts';
import type { Attributes, QueryPage, StoredItem, Table, Write, WriteOutcome } from './table.ts';

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

/**
 * A table on top of another table. It reads each item beneath at most once and keeps it, so it shows one snapshot, and it
 * keeps all writes to itself. Conditional writes have the outcomes that the table beneath would give. The memory grows
 * with the items that are read. Queries are not supported.
 */
export class OverlayTable implements Table {
  readonly #beneath: Pick<Table, 'getMany'>;
  readonly #items = new Map<string, StoredItem | undefined>();
  readonly #original = new Map<string, StoredItem | undefined>();
  #nonce = 0;

  constructor(beneath: Pick<Table, 'getMany'>) {
    this.#beneath = beneath;
  }

  async get(key: Key): Promise<StoredItem | undefined> {
    return (await this.getMany([key]))[0];
  }

  async getMany(keys: readonly Key[]): Promise<readonly (StoredItem | undefined)[]> {
    await this.#load(keys);
    return keys.map((key) => this.#items.get(nameOf(key)));
  }

  /** The item as the table beneath has it; `undefined` also for an item that was never read. */
  original(key: Key): StoredItem | undefined {
    return this.#original.get(nameOf(key));
  }

  async write(write: Write): Promise<WriteOutcome> {
    return (await this.writeMany([write]))[0] ?? 'refused';
  }

  async writeMany(writes: readonly Write[]): Promise<readonly WriteOutcome[]> {
    await this.#load(writes.map(({ key }) => key));
    return writes.map((write) => this.#apply(write));
  }

  put(key: Key, set: Attributes): Promise<void> {
    this.#set(key, set);
    return Promise.resolve();
  }

  query(): Promise<QueryPage> {
    return Promise.reject(new Error('table: a rehearsal cannot query'));
  }

  increment(): Promise<number> {
    return Promise.reject(new Error('table: a rehearsal cannot count'));
  }

  async #load(keys: readonly Key[]): Promise<void> {
    const unread = [...new Map(keys.map((key) => [nameOf(key), key]))].filter(
      ([name]) => !this.#items.has(name),
    );
    if (unread.length === 0) return;
    const items = await this.#beneath.getMany(unread.map(([, key]) => key));
    unread.forEach(([name], index) => {
      if (this.#items.has(name)) return;
      this.#items.set(name, items[index]);
      this.#original.set(name, items[index]);
    });
  }

  #apply(write: Write): WriteOutcome {
    const name = nameOf(write.key);
    const item = this.#items.get(name);
    if (write.kind === 'insert') {
      if (item) return 'refused';
      this.#set(write.key, write.set);
      return 'applied';
    }
    if (item && !hasAll(item, write.expect)) return 'refused';
    if (write.kind === 'delete') {
      this.#items.set(name, undefined);
      return 'gone';
    }
    if (!item) return 'refused';
    this.#set(write.key, { ...item, ...write.set });
    return 'applied';
  }

  #set({ pk, sk }: Key, set: Readonly<Record<string, unknown>>): void {
    this.#nonce += 1;
    this.#items.set(nameOf({ pk, sk }), { ...set, pk, sk, w: `rehearsed-${this.#nonce}` });
  }
}

const hasAll = (item: StoredItem, expect: Attributes): boolean =>
  Object.entries(expect).every(([name, value]) => isDeepStrictEqual(item[name], value));
