/** Reads by key: GetItem and BatchGetItem, directly from the storage. */
import db from 'dynalite/db/index.js';
import * as v from 'valibot';
import type { Usage } from '../../core/types.ts';
import { ServiceError } from '../../core/service-error.ts';
import { oneCall, oneThrottle } from '../../core/usage.ts';
import { capacityOf, type Capacity } from './capacity.ts';
import type { Engine } from './engine.ts';
import { MeteredRefusal } from './metered-refusal.ts';
import { check } from './operations.ts';
import { itemBytes, readUnits } from './sizes.ts';
import type { AttributeValue, Item, KeySchemaTable } from './types.ts';
import { partitionText } from './values.ts';

/** An answer of the service, and its cost. */
export interface Answer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly usage: readonly Usage[];
}

/** Common input of both reads by key. The paths come from a parsed projection. */
const Options = {
  ConsistentRead: v.optional(v.boolean(), false),
  AttributesToGet: v.optional(v.array(v.string())),
  _projection: v.optional(v.object({ paths: v.array(v.unknown()) })),
};
const KeyShape = v.custom<Item>((key) => typeof key === 'object' && key !== null);
const GetInput = v.object({ TableName: v.string(), Key: KeyShape, ...Options });
const BatchInput = v.object({
  RequestItems: v.record(v.string(), v.object({ Keys: v.array(KeyShape), ...Options })),
});
type ReadOptions = Omit<v.InferOutput<typeof GetInput>, 'TableName' | 'Key'>;

/** A BatchGetItem answer has at most 16 MB. Further keys are returned as unprocessed. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

/**
 * A BatchGetItem answer has at most 1 MB of one partition ("more than 1MB per partition is requested", API reference).
 * AWS stores several partition keys in one partition; here each is a partition.
 */
const MAX_PARTITION_BYTES = 1024 * 1024;

/** Names the kind of an item for the meter, from its key. */
export type KindOfItem = (table: KeySchemaTable, key: Item) => string;

/** GetItem, directly from the storage. */
export const getItem = (engine: Engine, body: unknown, kindOf: KindOfItem): Answer => {
  const input = v.parse(GetInput, check(engine.store, 'GetItem', body));
  const table = engine.table(input.TableName);
  const line = { action: 'dynamodb:GetItem', kind: kindOf(table, input.Key) };
  const read = readOne(engine, table, input.Key, input);
  if (!admitRead(engine, table, input.Key, read.spent.readUnits)) {
    const throttled = engine.throughput.throttled('read', table.TableName);
    throw new MeteredRefusal(throttled, [{ ...line, ...oneThrottle }]);
  }
  const capacity = capacityOf(body, { TableName: table.TableName, CapacityUnits: read.spent.readUnits });
  return {
    body: { ...(read.item ? { Item: read.item } : {}), ...capacity },
    usage: [{ ...line, ...read.spent }],
  };
};

/** BatchGetItem of up to 100 keys, directly from the storage. */
export const batchGetItem = (engine: Engine, body: unknown, kindOf: KindOfItem): Answer => {
  const input = plainBatch(body) ?? v.parse(BatchInput, check(engine.store, 'BatchGetItem', body));
  const Responses: Record<string, Item[]> = {};
  const UnprocessedKeys: Record<string, object> = {};
  const usage: Usage[] = [];
  const consumed: Capacity[] = [];
  const partitions = new Budgets(MAX_PARTITION_BYTES);
  let left = MAX_BATCH_BYTES;
  for (const [name, { Keys, ...options }] of Object.entries(input.RequestItems)) {
    const table = engine.table(name);
    const found: Item[] = (Responses[name] = []);
    const late: Item[] = [];
    let units = 0;
    for (const key of Keys) {
      const line = { action: 'dynamodb:BatchGetItem', kind: kindOf(table, key) };
      const read = readOne(engine, table, key, options);
      left -= read.spent.bytes;
      const fits = partitions.take(`${name}\n${partitionText(table, key)}`, read.spent.bytes);
      if (left < 0 || !fits) {
        late.push(key);
      } else if (!admitRead(engine, table, key, read.spent.readUnits)) {
        late.push(key);
        usage.push({ ...line, ...oneThrottle });
      } else {
        if (read.item) found.push(read.item);
        usage.push({ ...line, ...read.spent });
        units += read.spent.readUnits;
      }
    }
    consumed.push({ TableName: name, CapacityUnits: units });
    if (late.length > 0) UnprocessedKeys[name] = { ...requestOf(body, name), Keys: late };
  }
  refuseThrottled(engine, usage, Object.keys(input.RequestItems));
  return { body: { Responses, UnprocessedKeys, ...capacityOf(body, consumed) }, usage };
};

/** Bytes that a batch read may still take, by partition. */
class Budgets {
  readonly #bytes: number;
  readonly #left = new Map<string, number>();

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Takes bytes from a budget. Returns false once the budget does not suffice. */
  take(name: string, bytes: number): boolean {
    const left = (this.#left.get(name) ?? this.#bytes) - bytes;
    this.#left.set(name, left);
    return left >= 0;
  }
}

/** A batch of which the tables serve no item at all is refused as a whole (API reference of BatchGetItem). */
const refuseThrottled = (
  { throughput }: Engine,
  usage: readonly Usage[],
  tables: readonly string[],
): void => {
  if (usage.length === 0 || usage.some(({ throttles }) => throttles === 0)) return;
  throw new MeteredRefusal(throughput.throttled('read', tables[0] ?? ''), usage);
};

const admitRead = (engine: Engine, table: KeySchemaTable, key: Item, units: number): boolean =>
  engine.throughput.admit({
    access: 'read',
    table: table.TableName,
    partition: partitionText(table, key),
    units,
  });

type BatchInput = v.InferOutput<typeof BatchInput>;
const MOST_KEYS = 100;
const PlainKey = v.pipe(
  v.custom<Item>((key) => typeof key === 'object' && key !== null),
  v.check((key) => Object.values(key).every(isText)),
);
const PlainBatch = v.object({
  RequestItems: v.record(
    v.string(),
    v.strictObject({ Keys: v.array(PlainKey), ConsistentRead: v.optional(v.boolean(), false) }),
  ),
});

/**
 * Recognizes a request that only contains distinct text keys, as almost all requests do; undefined for other requests.
 * dynalite's validation would cost more than the rest of the read.
 */
const plainBatch = (body: unknown): BatchInput | undefined => {
  const plain = v.safeParse(PlainBatch, body);
  if (!plain.success) return undefined;
  const named = new Set<string>();
  let count = 0;
  for (const [table, { Keys }] of Object.entries(plain.output.RequestItems)) {
    if (Keys.length === 0) return undefined;
    for (const key of Keys) named.add(nameOf(table, key));
    count += Keys.length;
  }
  return count > 0 && count <= MOST_KEYS && named.size === count ? plain.output : undefined;
};

/** Distinguishes keys. Two keys with the same text take the slow path, which compares them exactly. */
const nameOf = (table: string, key: Item): string => {
  let name = table;
  for (const attribute of Object.keys(key).sort()) name += `\0${attribute}\0${key[attribute]?.S ?? ''}`;
  return name;
};

const isText = (value: AttributeValue): boolean =>
  typeof value.S === 'string' && value.S !== '' && Object.keys(value).length === 1;

const Requests = v.object({ RequestItems: v.record(v.string(), v.record(v.string(), v.unknown())) });

/** The caller's settings for a table, so that the caller can send unprocessed keys again unchanged. */
const requestOf = (body: unknown, table: string): Record<string, unknown> =>
  v.parse(Requests, body).RequestItems[table] ?? {};

const readOne = (engine: Engine, table: KeySchemaTable, key: Item, options: ReadOptions) => {
  const complaint = db.validateKey(key, table);
  if (complaint) throw new ServiceError('ValidationException', complaint.message);
  const stored = engine.keyOf(table, key);
  const earlier = options.ConsistentRead ? undefined : engine.earlier(table, stored);
  const item = earlier ? earlier.item : engine.read(table, stored);
  const paths = options._projection?.paths ?? options.AttributesToGet;
  const bytes = item ? itemBytes(item) : 0;
  return {
    item: item && paths ? db.mapPaths(paths, item) : item,
    spent: { ...oneCall, readUnits: readUnits(bytes, options.ConsistentRead), bytes },
  };
};
