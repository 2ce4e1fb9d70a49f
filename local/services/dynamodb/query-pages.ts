/**
 * Query pages: reads the page of a query as dynalite does, with its sizes, but without its streams, which took three fifths
 * of the processor time of a short query.
 */
import db, { type Item, type KeySchemaTable, type Store } from 'dynalite/db/index.js';
import * as v from 'valibot';
import { storedKey } from './item-keys.ts';
import { prefixed } from './ranges.ts';

/** Items per read from the storage. */
const BATCH = 256;

/** A page ends with the item that brings it to this size. */
const PAGE_BYTES = 1024 * 1024;

const Asked = v.object({
  TableName: v.string(),
  Limit: v.optional(v.number(), Infinity),
  ConsistentRead: v.optional(v.boolean(), false),
  Select: v.optional(v.string()),
  AttributesToGet: v.optional(v.array(v.string())),
  _projection: v.optional(v.object({ paths: v.array(v.unknown()) })),
});
type Asked = v.InferOutput<typeof Asked>;

const dynalites = db.queryTable;

/** Lets dynalite's queries of tables read their pages here. Its scans and its queries of indexes or with filters go on. */
export const readPagesHere = (): void => {
  db.queryTable = (...given) => {
    const [store, table, data, range, , , startKeyNames, done] = given;
    if (!isPlain(data)) {
      dynalites(...given);
      return;
    }
    queryPage({ store, table, range, startKeyNames }, v.parse(Asked, data)).then(
      (page) => done(null, page),
      done,
    );
  };
};

const isPlain = (data: Readonly<Record<string, unknown>>): boolean =>
  data['KeyConditions'] !== undefined &&
  ['IndexName', 'QueryFilter', '_filter'].every((name) => data[name] === undefined);

/** What a query reads. */
interface Reading {
  readonly store: Store;
  readonly table: KeySchemaTable;
  readonly range: Readonly<Record<string, unknown>>;
  readonly startKeyNames: readonly string[];
}

const queryPage = async (reading: Reading, asked: Asked): Promise<Record<string, unknown>> => {
  const { items, isFull, capacity } = await read(reading, asked);
  const paths = asked._projection?.paths ?? asked.AttributesToGet;
  const last = isFull ? items.at(-1) : undefined;
  return {
    ScannedCount: items.length,
    Count: items.length,
    ...(last && { LastEvaluatedKey: keyIn(last, reading.startKeyNames) }),
    ...(asked.Select !== 'COUNT' && { Items: paths ? items.map((item) => db.mapPaths(paths, item)) : items }),
    ConsumedCapacity: {
      CapacityUnits: Math.ceil(capacity / 4096) * (asked.ConsistentRead ? 1 : 0.5),
      TableName: asked.TableName,
    },
  };
};

const keyIn = (item: Item, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, item[name]]));

/** The items of a page, their size for the units, and whether the page ends because it is full. */
const read = async ({ store, table, range }: Reading, { TableName, Limit }: Asked) => {
  const rangeKey = table.KeySchema[1]?.AttributeName;
  const items: Item[] = [];
  let size = 0;
  let capacity = 0;
  const isFull = (): boolean => items.length >= Limit || size >= PAGE_BYTES;
  const iterator = store.db.values(prefixed(storedKey(TableName, ''), range));
  try {
    while (!isFull()) {
      const batch = await iterator.nextv(Math.min(BATCH, Limit - items.length));
      if (batch.length === 0) break;
      for (const item of batch) {
        if (isFull()) break;
        items.push(item);
        capacity += db.itemSize(item);
        size += db.itemSize(item, true, true, rangeKey);
      }
    }
  } finally {
    await iterator.close();
  }
  return { items, isFull: isFull(), capacity };
};
