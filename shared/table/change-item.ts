/** Optimistic locking for one item: read, decide, write on condition that the item is as it was read; otherwise again. */
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict } from '../runtime/retry.ts';
import type { Key } from './keys.ts';
import type { Attributes, StoredItem, Table, Write } from './table.ts';

/** Ports of `changeItem`. */
export interface ChangeItemDeps {
  readonly table: Pick<Table, 'get' | 'write'>;
  readonly pause: Pause;
}

/**
 * A decision about an item: `set` inserts the item or updates these attributes, `remove` deletes it, and with neither
 * the item stays as it is. `result` is returned to the caller.
 */
export interface Decision<T> {
  readonly result: T;
  readonly set?: Attributes;
  readonly remove?: true;
}

/**
 * Changes the item under `key`. `decide` gets the item as read, `undefined` when there is none, and runs again after
 * every write of another writer, so it must have no side effect. A write whose answer was lost may be decided twice
 * (`WriteOutcome`). `what` names the item in the `UnavailableError` that ends a contention of about 15 s.
 */
export const changeItem = <T>(
  { table, pause }: ChangeItemDeps,
  { key, what }: { readonly key: Key; readonly what: string },
  decide: (item: StoredItem | undefined) => Decision<T> | Promise<Decision<T>>,
): Promise<T> =>
  retryOnConflict({ pause, what }, async () => {
    const item = await table.get(key);
    const decision = await decide(item);
    const write = writeOf(key, item, decision);
    const isRefused = write !== undefined && (await table.write(write)) === 'refused';
    return isRefused ? 'conflict' : done(decision.result);
  });

const writeOf = (
  key: Key,
  item: StoredItem | undefined,
  { set, remove }: Decision<unknown>,
): Write | undefined => {
  if (set) return item ? { kind: 'update', key, set, expect: { w: item.w } } : { kind: 'insert', key, set };
  return remove && item ? { kind: 'delete', key, expect: { w: item.w } } : undefined;
};
