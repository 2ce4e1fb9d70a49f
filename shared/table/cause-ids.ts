import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

/**
 * What brings things about: a request, or a scheduled time. A cause may be told more than once, because a client repeats a
 * request that died halfway, or a queue delivers a message twice. Each time must lead to the same things.
 */
export interface Cause {
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
export type SeenId = Readonly<v.InferOutput<typeof causeItem>>;

/** The id that a cause has given, as it was read; undefined when it has given none, or is told only once. */
export const seenId = async (
  table: Table,
  { property, name, again }: Cause,
  what: string,
): Promise<SeenId | undefined> => {
  if (!again) return undefined;
  const item = await table.get(keys.causeId(property, name, what));
  return item && v.parse(causeItem, item);
};

/** The id that a cause has given to what it makes; undefined when it has given none, or is told only once. */
export const knownId = async (table: Table, cause: Cause, what: string): Promise<number | undefined> =>
  (await seenId(table, cause, what))?.id;

/**
 * The id of what a cause makes: a new one of `next`, unless the cause has given one before. The id is stored before the thing
 * is made, so a thing that is inserted under its id is made once, however often its cause is told. `what` names the thing
 * among those of the cause. It is remembered for `limits.table.causeDays`.
 */
export const idOnce = async (
  table: Table,
  cause: Cause,
  what: string,
  next: () => Promise<number>,
): Promise<number> => {
  const known = await knownId(table, cause, what);
  if (known !== undefined) return known;
  const id = await next();
  if (await giveId(table, cause, { what, id, seen: undefined })) return id;
  return v.parse(causeItem, await table.get(keys.causeId(cause.property, cause.name, what))).id;
};

/**
 * Lets a cause give an id in place of the one that was seen: for what is made anew when the try before has come to nothing.
 * `false` when another try has given one since. A cause that is told only once keeps nothing.
 */
export const giveId = async (
  table: Table,
  { property, name, again, now }: Cause,
  { what, id, seen }: { readonly what: string; readonly id: number; readonly seen: SeenId | undefined },
): Promise<boolean> => {
  if (!again) return true;
  const key = keys.causeId(property, name, what);
  const set = { id, ttl: Math.ceil(now / 1000) + limits.table.causeDays * DAY_SECONDS };
  const outcome = await table.write(
    seen ? { kind: 'update', key, set, expect: { w: seen.w } } : { kind: 'insert', key, set },
  );
  return outcome === 'applied';
};
