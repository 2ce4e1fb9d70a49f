/**
 * Query pages: reads the page of a query as dynalite does, with its sizes, but without its streams, which took three fifths
 * of the processor time of a short query.
 */
import db, { type Item, type KeySchemaTable, type Store } from 'dynalite/db/index.js';
import * as v from 'valibot';
import { storedKey } from './item-keys.ts';
import { keepTexts } from './item-texts.ts';
import { prefixed } from './ranges.ts';
import { parseItem } from './storage.ts';

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
  const items: Item[] = [];
  const texts: Buffer[] = [];
  const size = pageSize(items, table.KeySchema[1]?.AttributeName);
  let capacity = 0;
  const isFull = (): boolean => items.length >= Limit || size.isReached();
  const iterator = store.db.values({
    ...prefixed(storedKey(TableName, ''), range),
    valueEncoding: 'buffer',
  });
  try {
    while (!isFull()) {
      const batch = await iterator.nextv(Math.min(BATCH, Limit - items.length));
      if (batch.length === 0) break;
      for (const stored of batch) {
        if (isFull()) break;
        const isText = Buffer.isBuffer(stored);
        const item = isText ? parseItem(stored.toString()) : stored;
        items.push(item);
        if (isText) texts.push(stored);
        capacity += billedSize(item);
        size.add(isText ? stored.length : Infinity);
      }
    }
  } finally {
    await iterator.close();
  }
  if (texts.length === items.length) keepTexts(items, texts);
  return { items, isFull: isFull(), capacity };
};

/** The size of an item for the units, as dynalite counts it. Most attributes are texts. */
const billedSize = (item: Item): number => {
  let size = 0;
  for (const name of Object.keys(item)) {
    const value = item[name];
    if (value?.S !== undefined) size += name.length + value.S.length;
    else if (value !== undefined) size += db.itemSize({ [name]: value });
  }
  return size;
};

/**
 * What dynalite counts of an item on a page, at most, by the length of its JSON: some bytes for each item and each 3 KB of
 * it, with the sort key, which has up to 1 KB.
 */
const mostCounted = (length: number): number => 100 + 1.5 * length;

/**
 * Whether the items of a page have reached its limit. They are only measured once the lengths of their texts do not tell:
 * dynalite measures each in 1 µs.
 */
const pageSize = (items: readonly Item[], rangeKey: string | undefined) => {
  let most = 0;
  let measured = 0;
  let exact = 0;
  return {
    /** Adds the last item, whose JSON has this length. */
    add: (length: number): void => {
      most += mostCounted(length);
    },
    isReached: (): boolean => {
      if (most < PAGE_BYTES) return false;
      for (const item of items.slice(measured)) exact += db.itemSize(item, true, true, rangeKey);
      measured = items.length;
      return exact >= PAGE_BYTES;
    },
  };
};
