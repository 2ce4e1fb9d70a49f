/** Table port: reads and conditional writes of items. Every item has a write nonce for optimistic locking. */
import type { WorkBudget } from '../runtime/work-budget.ts';
import type { Key } from './keys.ts';

/** A value that an item can hold. Numbers must be finite; binary is `Uint8Array`. */
export type Attribute =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly Attribute[]
  | { readonly [name: string]: Attribute };

/** Attributes of an item besides its key. */
export type Attributes = Readonly<Record<string, Attribute>>;

/**
 * An item as read. `w` is its write nonce, for optimistic locking: the table sets a new random nonce at every write. A
 * conditional write names the nonce that its writer read. After a lost answer, the table reads `w` back to learn the
 * outcome.
 */
export interface StoredItem extends Key {
  readonly w: string;
  readonly [name: string]: unknown;
}

/** A write that the table makes only if the item is in the expected state (compare and set). */
export type Write =
  | { readonly kind: 'insert'; readonly key: Key; readonly set: Attributes }
  | { readonly kind: 'update'; readonly key: Key; readonly set: Attributes; readonly expect: Attributes }
  | { readonly kind: 'delete'; readonly key: Key; readonly expect: Attributes };

/**
 * The outcome of a write.
 *
 * `applied`: this insert or update was made. `gone` is the success of a delete: no item is under the key. Nobody learns
 * who deleted the item, so a delete is never `applied` and cannot decide a race. DynamoDB reports success when a delete
 * with a condition finds no item: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.delete.html
 *
 * `refused`: for an insert the key is taken; for an update the item is missing or differs from `expect`; for a delete
 * the item differs from `expect`. After a lost answer the stored item decides: a write that another writer has
 * overwritten since counts as refused. So a lost race may be reported late. A writer that repeats a refused update must
 * expect that the first update was applied too: read, add and update may add twice, but never zero times.
 */
export type WriteOutcome = 'applied' | 'gone' | 'refused';

/**
 * A range of sort keys of one partition: all with a prefix, or between two keys (inclusive). `after` continues
 * behind a page's `next`, in the direction of the query.
 */
export interface Range {
  readonly prefix?: string;
  readonly from?: string;
  readonly to?: string;
  readonly after?: string | undefined;
  readonly limit?: number;
  readonly descending?: boolean;
  /** The calls of 1 MB that the reader may still make. A page without a call left has fewer items than its limit. */
  readonly work?: WorkBudget | undefined;
}

/** One page of a query. `next` goes into `Range.after`; absent at the end. */
export interface QueryPage {
  readonly items: readonly StoredItem[];
  readonly next?: string;
}

/**
 * A table whose items never change. A function that has only these operations can neither change nor delete an
 * item: DynamoDB refuses to insert under a taken key.
 */
export interface AppendOnlyTable extends Pick<Table, 'query'> {
  /** Inserts an item. A taken key counts as stored: the earlier item stays unchanged. */
  add(key: Key, set: Attributes): Promise<void>;
}

/**
 * The single table. All reads are strongly consistent. The table handles throttling and lost answers, so an
 * outcome is the true outcome. It throws when it cannot settle a call within the retry budget.
 */
export interface Table {
  get(key: Key): Promise<StoredItem | undefined>;
  /** Items in the order of the keys, `undefined` where there is none. Any number of keys. */
  getMany(keys: readonly Key[]): Promise<readonly (StoredItem | undefined)[]>;
  query(pk: string, range?: Range): Promise<QueryPage>;
  /** Writes one item and returns the outcome. */
  write(write: Write): Promise<WriteOutcome>;
  /**
   * Writes many items, each with its own outcome, in no order. Any number of writes; two writes on one key are
   * an error of the caller.
   */
  writeMany(writes: readonly Write[]): Promise<readonly WriteOutcome[]>;
  /**
   * Makes all of the writes or none of them, in one transaction of at most 100 items. Returns the places of the writes that
   * were refused; none when all were made. A delete of a missing item is not refused. After a lost answer the stored items
   * decide, as in `WriteOutcome`. A transaction costs twice the units of its writes: it is for definitions, jobs and small
   * counts, never for rows (docs/adr/0019-transactions-for-definitions.md).
   */
  transact(writes: readonly Write[]): Promise<readonly number[]>;
  /** Replaces or creates an item unconditionally: only for items whose versions are interchangeable (idempotent facts). */
  put(key: Key, set: Attributes): Promise<void>;
  /**
   * Adds `by` to a counter and returns the new value. No two calls get the same value. After a lost answer the
   * call is sent again, and `by` may be added twice. So a counter suits ids and ordinals, where a gap is
   * harmless, and bounds that may be slightly off; an exact number is derived from items. `ttl` (epoch seconds)
   * lets the counter expire.
   */
  increment(key: Key, by: number, options?: { readonly ttl?: number }): Promise<number>;
}
