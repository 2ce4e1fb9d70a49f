import * as v from 'valibot';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Key } from '../../shared/table/keys.ts';
import { scannedItem, type ScanPage, type TableScan } from '../../shared/table/table-scan.ts';
import { WRITES_PER_TRANSACTION } from '../../shared/table/transaction.ts';
import type {
  AppendOnlyTable,
  Attribute,
  Attributes,
  QueryPage,
  Range,
  StoredItem,
  Table,
  Write,
  WriteOutcome,
} from '../../shared/table/table.ts';

/** A read or write as a table carried it out, with its result. A write has the nonce that it stored. */
export type Step =
  | {
      readonly kind: 'read';
      readonly keys: readonly Key[];
      readonly items: readonly (StoredItem | undefined)[];
    }
  | { readonly kind: 'query'; readonly pk: string; readonly range: Range; readonly page: QueryPage }
  | { readonly kind: 'write'; readonly write: Write; readonly outcome: WriteOutcome; readonly w: string }
  | {
      readonly kind: 'transaction';
      readonly writes: readonly Write[];
      readonly refused: readonly number[];
      /** The nonces of the writes, if they were made. */
      readonly nonces: readonly string[];
    }
  | { readonly kind: 'put'; readonly key: Key; readonly set: Attributes; readonly w: string }
  | {
      readonly kind: 'increment';
      readonly key: Key;
      readonly by: number;
      readonly options: { readonly ttl?: number };
      readonly value: number;
      readonly w: string;
    };

/**
 * The table as plain maps, with the contract of `Table` (test/table/contract.ts runs against both). `before` is
 * awaited ahead of every operation: a test can count, delay, crash or interleave there.
 */
export class MemoryTable implements Table, TableScan, AppendOnlyTable {
  /** Makes an observer of the steps of each new table. Without it, which is usual, no step is noted. */
  static observe: (() => (step: Step) => void) | undefined;
  readonly #observer = MemoryTable.observe?.();
  /** Items of a page of a scan. */
  scanned = 10;
  /** Items of a page of a query without a limit. */
  queried = Infinity;
  /** Conditional writes that another writer is ahead of, each time: they are refused, whatever item is there. */
  loses: (write: Write) => boolean = () => false;
  readonly #partitions = new Map<string, Map<string, Row>>();
  #nonce = 0;
  readonly #before: (operation: string, keys: readonly Key[]) => Promise<void> | void;

  constructor(before: (operation: string, keys: readonly Key[]) => Promise<void> | void = () => undefined) {
    this.#before = before;
  }

  async get(key: Key): Promise<StoredItem | undefined> {
    await this.#before('get', [key]);
    const item = this.#read(key);
    this.#note(() => ({ kind: 'read', keys: [key], items: [item] }));
    return item;
  }

  async getMany(keys: readonly Key[]): Promise<readonly (StoredItem | undefined)[]> {
    await this.#before('getMany', keys);
    const items = keys.map((key) => this.#read(key));
    this.#note(() => ({ kind: 'read', keys, items }));
    return items;
  }

  async query(pk: string, range: Range = {}): Promise<QueryPage> {
    await this.#before('query', [{ pk, sk: range.prefix ?? range.from ?? '' }]);
    const found = [...(this.#partitions.get(pk)?.values() ?? [])]
      .filter(({ key }) => inRange(key.sk, range))
      .sort((a, b) => (a.key.sk < b.key.sk ? -1 : 1) * (range.descending === true ? -1 : 1));
    const items = withinWork(found.slice(0, range.limit ?? this.queried).map(itemOf), range.work);
    const last = items.at(-1);
    const page = items.length < found.length && last ? { items, next: last.sk } : { items };
    // A budget of work is no part of the step: the page says where it ended.
    const { work, ...asked } = range;
    this.#note(() => ({
      kind: 'query',
      pk,
      range: work && items.length > 0 ? { ...asked, limit: items.length } : asked,
      page,
    }));
    return page;
  }

  async write(write: Write): Promise<WriteOutcome> {
    const [outcome] = await this.writeMany([write]);
    return outcome ?? 'refused';
  }

  async writeMany(writes: readonly Write[]): Promise<readonly WriteOutcome[]> {
    const named = new Set(writes.map(({ key }) => `${key.pk}\n${key.sk}`));
    if (named.size !== writes.length) throw new Error('two writes on one key');
    const outcomes: WriteOutcome[] = [];
    for (const write of writes) {
      await this.#before(write.kind, [write.key]);
      outcomes.push(this.loses(write) ? 'refused' : this.#attempt(write));
    }
    return outcomes;
  }

  async transact(writes: readonly Write[]): Promise<readonly number[]> {
    const keys = writes.map(({ key }) => key);
    if (keys.length > WRITES_PER_TRANSACTION) throw new Error('too many writes for a transaction');
    if (new Set(keys.map(({ pk, sk }) => `${pk}\n${sk}`)).size !== keys.length)
      throw new Error('two writes on one key');
    await this.#before('transact', keys);
    const lost = writes.flatMap((write, place) => (this.loses(write) ? [place] : []));
    if (lost.length > 0) return lost;
    const before = new Map(keys.map((key) => [key, this.#row(key)]));
    const nonces: string[] = [];
    const refused = writes.flatMap((write, place) => {
      const isRefused = this.#apply(write) === 'refused';
      // Each write has a nonce of its own, as on DynamoDB, also when it is refused.
      if (isRefused) this.#nonce += 1;
      nonces.push(this.#lastNonce);
      return isRefused ? [place] : [];
    });
    // All or none.
    if (refused.length > 0) for (const [key, row] of before) this.#restore(key, row);
    this.#note(() => ({ kind: 'transaction', writes, refused, nonces }));
    return refused;
  }

  async put(key: Key, set: Attributes): Promise<void> {
    await this.#before('put', [key]);
    this.#store(key, set);
    this.#note(() => ({ kind: 'put', key, set, w: this.#lastNonce }));
  }

  async add(key: Key, set: Attributes): Promise<void> {
    await this.write({ kind: 'insert', key, set });
  }

  async increment(key: Key, by: number, options: { readonly ttl?: number } = {}): Promise<number> {
    await this.#before('increment', [key]);
    const value = Number(this.#read(key)?.['value'] ?? 0) + by;
    this.#store(key, { ...this.#row(key)?.set, value, ...options });
    this.#note(() => ({ kind: 'increment', key, by, options, value, w: this.#lastNonce }));
    return value;
  }

  async scan(after: Key | null): Promise<ScanPage> {
    await this.#before('scan', []);
    const left = this.items()
      .map((item) => ({ name: `${item.pk}\n${item.sk}`, item }))
      .filter(({ name }) => after === null || name > `${after.pk}\n${after.sk}`)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    const items = left.slice(0, this.scanned).map(({ item }) => v.parse(scannedItem, item));
    const last = items.at(-1);
    return items.length < left.length && last ? { items, next: { pk: last.pk, sk: last.sk } } : { items };
  }

  /** Every item, for assertions over the whole state. */
  items(kind?: ReturnType<typeof kindOfKey>): readonly StoredItem[] {
    return [...this.#partitions]
      .filter(([pk]) => kind === undefined || kindOfKey(pk) === kind)
      .flatMap(([, partition]) => [...partition.values()].map(itemOf));
  }

  /** Notes the whole state. The function in its answer puts the table back to it, as a restore to this time does. */
  backup(): () => void {
    const noted = [...this.#partitions].map(([pk, rows]) => [pk, new Map(rows)] as const);
    return () => {
      this.#partitions.clear();
      for (const [pk, rows] of noted) this.#partitions.set(pk, new Map(rows));
    };
  }

  #read(key: Key): StoredItem | undefined {
    const row = this.#row(key);
    return row && itemOf(row);
  }

  #row(key: Key): Row | undefined {
    return this.#partitions.get(key.pk)?.get(key.sk);
  }

  /** An observer keeps a step, so it gets a copy that no test changes. */
  #note(step: () => Step): void {
    if (this.#observer) this.#observer(structuredClone(step()));
  }

  get #lastNonce(): string {
    return `w${this.#nonce}`;
  }

  #attempt(write: Write): WriteOutcome {
    const outcome = this.#apply(write);
    this.#note(() => ({ kind: 'write', write, outcome, w: this.#lastNonce }));
    return outcome;
  }

  #apply(write: Write): WriteOutcome {
    const row = this.#row(write.key);
    if (write.kind === 'insert') {
      if (row) return 'refused';
      this.#store(write.key, write.set);
      return 'applied';
    }
    if (!row) return write.kind === 'delete' ? 'gone' : 'refused';
    const stored: Attributes = { ...row.set, ...row.key, w: row.w };
    if (!Object.entries(write.expect).every(([name, value]) => stored[name] === value)) return 'refused';
    if (write.kind === 'delete') {
      this.#partitions.get(write.key.pk)?.delete(write.key.sk);
      return 'gone';
    }
    this.#store(write.key, { ...row.set, ...write.set });
    return 'applied';
  }

  #restore({ pk, sk }: Key, row: Row | undefined): void {
    if (row) this.#partitions.get(pk)?.set(sk, row);
    else this.#partitions.get(pk)?.delete(sk);
  }

  #store(key: Key, set: Attributes): void {
    const partition = this.#partitions.get(key.pk) ?? new Map<string, Row>();
    this.#partitions.set(key.pk, partition);
    this.#nonce += 1;
    partition.set(key.sk, { key, set: copyOf(set), w: this.#lastNonce });
  }
}

interface Row {
  readonly key: Key;
  readonly set: Attributes;
  readonly w: string;
}

const itemOf = ({ key, set, w }: Row): StoredItem => ({ ...copyOf(set), pk: key.pk, sk: key.sk, w });

/** A deep copy of attributes, several times as fast as `structuredClone`. */
const copyOf = (set: Attributes): Attributes =>
  Object.fromEntries(Object.entries(set).map(([name, value]) => [name, copyOfValue(value)]));

const copyOfValue = (value: Attribute): Attribute => {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  return isList(value) ? value.map(copyOfValue) : copyOf(value);
};

const isList = (value: object): value is readonly Attribute[] => Array.isArray(value);

const inRange = (sk: string, { prefix, from, to, after, descending }: Range): boolean =>
  (prefix === undefined || sk.startsWith(prefix)) &&
  (from === undefined || sk >= from) &&
  (to === undefined || sk <= to) &&
  (after === undefined || (descending === true ? sk < after : sk > after));

const CALL_BYTES = 1_000_000;

/** The items that calls of 1 MB read while there is work left. */
const withinWork = (items: readonly StoredItem[], work: Range['work']): readonly StoredItem[] => {
  if (!work) return items;
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += JSON.stringify(item).length;
    if (bytes < CALL_BYTES) return false;
    bytes = 0;
    return !work.take(1);
  });
  if (end === -1) work.take(1);
  return end === -1 ? items : items.slice(0, end + 1);
};
