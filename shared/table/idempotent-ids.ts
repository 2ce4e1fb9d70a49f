/** Idempotent ids: a repeated request gets the id that its first attempt allocated, so it creates each entity once. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { DAY_MS, ttlAt } from '../runtime/clock.ts';
import { keys } from './keys.ts';
import type { Table, Write } from './table.ts';

/**
 * Identifies a request or a scheduled run, the same at every retry (an idempotency key). A client repeats a
 * request that died halfway, and a queue may deliver a message twice; each attempt must lead to the same
 * entities.
 */
export interface RequestIdentity {
  readonly property: number;
  /** The same at every retry and unique in the property. Made of ids and times, never of a client's text. */
  readonly requestKey: string;
  /** Whether the request may be repeated. Otherwise nothing is stored for it, which saves a read and a write. */
  readonly again: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A request of a client. */
interface ClientRequest {
  readonly property: { readonly id: number };
  readonly requestKey: string;
  /** Whether it came with an `Idempotency-Key`. */
  readonly keyed?: boolean;
  readonly now: number;
}

/** The identity of a request of a client: repeatable only when the request came with an `Idempotency-Key`. */
export const requestIdentityOf = ({
  property,
  requestKey,
  keyed = false,
  now,
}: ClientRequest): RequestIdentity => ({ property: property.id, requestKey, again: keyed, now });

const idItem = v.object({ w: v.string(), id: v.number() });

/** An id that a request has allocated, and the nonce of its item as read. */
export type AllocatedId = Readonly<v.InferOutput<typeof idItem>>;

/** The id that a request has allocated; undefined when it has allocated none, or cannot be repeated. */
export const readAllocatedId = async (
  table: Table,
  { property, requestKey, again }: RequestIdentity,
  what: string,
): Promise<AllocatedId | undefined> => {
  if (!again) return undefined;
  const item = await table.get(keys.idempotentId(property, requestKey, what));
  return item && v.parse(idItem, item);
};

/** The id that a request has allocated for `what`; undefined when it has allocated none, or cannot be repeated. */
export const allocatedId = async (
  table: Table,
  request: RequestIdentity,
  what: string,
): Promise<number | undefined> => (await readAllocatedId(table, request, what))?.id;

/**
 * Allocates the id of an entity: a new id from `next`, unless an earlier attempt of the request has stored one.
 * The id is stored before the entity is created, so an entity that is inserted under its id is created once,
 * however often the request is repeated. `what` names the entity within the request. The id is kept for
 * `limits.table.requestKeyDays`.
 */
export const allocateIdOnce = async (
  table: Table,
  request: RequestIdentity,
  what: string,
  next: () => Promise<number>,
): Promise<number> => {
  const known = await allocatedId(table, request, what);
  if (known !== undefined) return known;
  const id = await next();
  if (await storeAllocatedId(table, request, { what, id, seen: undefined })) return id;
  return v.parse(idItem, await table.get(keys.idempotentId(request.property, request.requestKey, what))).id;
};

/** An id for a request, in place of the id that was read. */
interface NextId {
  readonly what: string;
  readonly id: number;
  readonly seen: AllocatedId | undefined;
}

/**
 * The write that stores an id for a request in place of the id that was read, for the transaction that creates the entity.
 * Refused when another attempt has stored an id since. None for a request that cannot be repeated.
 */
export const idWrites = (
  { property, requestKey, again, now }: RequestIdentity,
  { what, id, seen }: NextId,
): readonly Write[] => {
  if (!again) return [];
  const key = keys.idempotentId(property, requestKey, what);
  const set = { id, ttl: ttlAt(now + limits.table.requestKeyDays * DAY_MS) };
  return [seen ? { kind: 'update', key, set, expect: { w: seen.w } } : { kind: 'insert', key, set }];
};

/** Stores an id for a request; `false` when another attempt has stored an id since. */
const storeAllocatedId = async (table: Table, request: RequestIdentity, next: NextId): Promise<boolean> => {
  const outcomes = await table.writeMany(idWrites(request, next));
  return outcomes.every((outcome) => outcome === 'applied');
};
