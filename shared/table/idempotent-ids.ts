import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

/**
 * What brings things about: a request, or a scheduled time. A cause may be told more than once, because a client repeats a
 * request that died halfway, or a queue delivers a message twice. Each time must lead to the same things.
 */
export interface RequestKey {
  readonly property: number;
  /** The same each time. Unique in the property; made of ids and times, never of a client's text. */
  readonly name: string;
  /** Whether the cause may be told again. Otherwise nothing is remembered of it, which saves a read and a write. */
  readonly again: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

const causeItem = v.object({ w: v.string(), id: v.number() });

/** An id that a cause has given, and the item that says so as it was read. */
export type AllocatedId = Readonly<v.InferOutput<typeof causeItem>>;

/** The id that a cause has given, as it was read; undefined when it has given none, or is told only once. */
export const readAllocatedId = async (
  table: Table,
  { property, name, again }: RequestKey,
  what: string,
): Promise<AllocatedId | undefined> => {
  if (!again) return undefined;
  const item = await table.get(keys.idempotentId(property, name, what));
  return item && v.parse(causeItem, item);
};

/** The id that a cause has given to what it makes; undefined when it has given none, or is told only once. */
export const allocatedId = async (
  table: Table,
  cause: RequestKey,
  what: string,
): Promise<number | undefined> => (await readAllocatedId(table, cause, what))?.id;

/**
 * The id of what a cause makes: a new one of `next`, unless the cause has given one before. The id is stored before the thing
 * is made, so a thing that is inserted under its id is made once, however often its cause is told. `what` names the thing
 * among those of the cause. It is remembered for `limits.table.requestKeyDays`.
 */
export const allocateIdOnce = async (
  table: Table,
  cause: RequestKey,
  what: string,
  next: () => Promise<number>,
): Promise<number> => {
  const known = await allocatedId(table, cause, what);
  if (known !== undefined) return known;
  const id = await next();
  if (await storeAllocatedId(table, cause, { what, id, seen: undefined })) return id;
  return v.parse(causeItem, await table.get(keys.idempotentId(cause.property, cause.name, what))).id;
};

/**
 * Lets a cause give an id in place of the one that was seen: for what is made anew when the try before has come to nothing.
 * `false` when another try has given one since. A cause that is told only once keeps nothing.
 */
export const storeAllocatedId = async (
  table: Table,
  { property, name, again, now }: RequestKey,
  { what, id, seen }: { readonly what: string; readonly id: number; readonly seen: AllocatedId | undefined },
): Promise<boolean> => {
  if (!again) return true;
  const key = keys.idempotentId(property, name, what);
  const set = { id, ttl: Math.ceil(now / 1000) + limits.table.requestKeyDays * DAY_SECONDS };
  const outcome = await table.write(
    seen ? { kind: 'update', key, set, expect: { w: seen.w } } : { kind: 'insert', key, set },
  );
  return outcome === 'applied';
};
