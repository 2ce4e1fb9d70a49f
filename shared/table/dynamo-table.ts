/** DynamoDB table: implements the `Table` port with consistent reads, bounded retries and conditional writes. */
import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { Ids } from '../runtime/ids.ts';
import type { Pause } from '../runtime/pause.ts';
import { batchesOf, mapLimited } from '../runtime/pool.ts';
import { retryRemaining } from '../runtime/retry.ts';
import { fromAttributeValues, toAttributeValues } from './attribute-values.ts';
import { conditionalBatch } from './conditional-batch.ts';
import type { DynamoDb } from './dynamo-calls.ts';
import type { Key } from './keys.ts';
import {
  countUnits,
  type Metered,
  sendPaced,
  ThrottledCall,
  unitsOf,
  untilServed,
  uncontrolled,
  type TableRates,
} from './rate-control.ts';
import type {
  AppendOnlyTable,
  Attributes,
  QueryPage,
  Range,
  StoredItem,
  Table,
  Write,
  WriteOutcome,
} from './table.ts';
import { transaction } from './transaction.ts';

/** Ports of the table. `pause` waits between retries; tests pass a pause that returns at once. */
export interface DynamoTableDeps {
  readonly client: DynamoDb;
  readonly tableName: string;
  readonly ids: Ids;
  readonly pause: Pause;
  /** The rate control of this process for bulk work; without it, calls leave at once. */
  readonly rates?: TableRates;
}

/** DynamoDB's limit for one BatchGetItem. */
const KEYS_PER_BATCH_GET = 100;

/** Batch requests of one call in flight at once, as far as the rate control lets them leave. */
const PARALLEL_BATCHES = 4;

const isStored = (item: Readonly<Record<string, unknown>>): item is StoredItem =>
  typeof item['pk'] === 'string' && typeof item['sk'] === 'string' && typeof item['w'] === 'string';

/** A schema would take as long as the conversion. */
const parseItem = (item: Record<string, AttributeValue>): StoredItem => {
  const read = fromAttributeValues(item);
  if (!isStored(read)) throw new TypeError('table: an item without a key or a nonce is stored');
  return read;
};
const counter = v.looseObject({ value: v.number() });
const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

/** The single table on DynamoDB. */
export const dynamoTable = (deps: DynamoTableDeps): Table => {
  const getMany = (wanted: readonly Key[]) => readMany(deps, wanted);
  const writeMany = (writes: readonly Write[]): Promise<readonly WriteOutcome[]> =>
    conditionalBatch({ ...deps, getMany, parallel: PARALLEL_BATCHES }, writes);
  return {
    getMany,
    writeMany,
    get: async (key) => (await getMany([key]))[0],
    write: async (write) => (await writeMany([write]))[0] ?? 'refused',
    query: (pk, range) => queryPage(deps, pk, range ?? {}),
    transact: (writes) => transaction({ ...deps, getMany }, writes),
    put: (key, set) => putItem(deps, key, set),
    increment: (key, by, options) => addTo(deps, key, { by, ...options }),
  };
};

/** A DynamoDB table that only grows. */
export const appendOnlyTable = (deps: DynamoTableDeps): AppendOnlyTable => {
  // An insert whose answer was lost and an insert under a taken key end alike, so nothing is read back:
  // functions that add may not read.
  const getMany = (keys: readonly Key[]) => Promise.resolve(keys.map(() => undefined));
  return {
    query: (pk, range) => queryPage(deps, pk, range ?? {}),
    add: async (key, set) => {
      await conditionalBatch({ ...deps, getMany, parallel: 1 }, [{ kind: 'insert', key, set }]);
    },
  };
};

const readMany = async (
  deps: DynamoTableDeps,
  wanted: readonly Key[],
): Promise<readonly (StoredItem | undefined)[]> => {
  const distinct = [...new Map(wanted.map((key) => [nameOf(key), key])).values()];
  const found = new Map<string, StoredItem>();
  await mapLimited([...batchesOf(distinct, KEYS_PER_BATCH_GET)], PARALLEL_BATCHES, async (batch) => {
    for (const item of await readBatch(deps, batch)) found.set(nameOf(item), item);
  });
  return wanted.map((key) => found.get(nameOf(key)));
};

type WireKey = Record<string, AttributeValue>;

const readBatch = async (deps: DynamoTableDeps, batch: readonly Key[]): Promise<readonly StoredItem[]> => {
  const items: StoredItem[] = [];
  const keys = batch.map(({ pk, sk }): WireKey => toAttributeValues({ pk, sk }));
  const { patience } = (deps.rates ?? uncontrolled).read;
  const retry = { pause: deps.pause, what: 'table: throttled reads', patience };
  await retryRemaining(retry, keys, async (left) => {
    let wanted = [...left];
    let isCut = true;
    // The rest of an answer that was cut at its size comes at once, what was throttled after a pause.
    while (isCut && wanted.length > 0) {
      const answer = await sendRead(deps, wanted);
      if (answer instanceof ThrottledCall) return wanted;
      for (const item of answer.Responses?.[deps.tableName] ?? []) items.push(parseItem(item));
      wanted = answer.UnprocessedKeys?.[deps.tableName]?.Keys ?? [];
      isCut = isCutAtSize(answer);
    }
    return wanted;
  });
  return items;
};

/**
 * Units of the smallest answer that DynamoDB may cut: it returns up to 1 MB of one partition, 250 units of consistent reads,
 * and does not begin an item that no longer fits, of up to 400 KB.
 */
const CUT_UNITS = 150;

/** Whether unprocessed keys are the rest of a large answer. A throttled answer of small items has fewer units. */
const isCutAtSize = (answer: Metered): boolean => (unitsOf(answer) ?? 0) >= CUT_UNITS;

const sendRead = ({ client, tableName, rates = uncontrolled }: DynamoTableDeps, Keys: WireKey[]) =>
  sendPaced({
    control: rates.read,
    items: Keys.length,
    send: () =>
      client.call('BatchGetItem', {
        ...countUnits,
        RequestItems: { [tableName]: { Keys, ConsistentRead: true } },
      }),
    throttledOf: (answer) =>
      isCutAtSize(answer) ? 0 : (answer.UnprocessedKeys?.[tableName]?.Keys?.length ?? 0),
  });

const queryPage = async (
  { client, tableName, pause, rates = uncontrolled }: DynamoTableDeps,
  pk: string,
  range: Range,
): Promise<QueryPage> => {
  const items: StoredItem[] = [];
  if (range.to === '') return { items };
  const bounds = boundsOf(range);
  let start = range.after === undefined ? undefined : toAttributeValues({ pk, sk: range.after });
  // Nothing follows the last bound, and DynamoDB refuses to start there.
  while (!isOver(start, bounds.last)) {
    const query: QueryCommandInput = {
      ...countUnits,
      TableName: tableName,
      ConsistentRead: true,
      ...conditionOf(pk, bounds),
      ScanIndexForward: range.descending !== true,
      ...(range.limit === undefined ? {} : { Limit: range.limit - items.length }),
      ...(start ? { ExclusiveStartKey: start } : {}),
    };
    const answer = await untilServed({ pause, control: rates.read }, () => client.call('Query', query));
    items.push(...(answer.Items ?? []).map(parseItem));
    start = answer.LastEvaluatedKey;
    const hasWork = range.work?.take(1) ?? true;
    if (!start || !hasWork || (range.limit !== undefined && items.length >= range.limit)) break;
  }
  const last = items.at(-1);
  return start && last && !isOver(start, bounds.last) ? { items, next: last.sk } : { items };
};

const isOver = (start: Record<string, AttributeValue> | undefined, last: string | undefined): boolean =>
  start !== undefined && last !== undefined && start['sk']?.S === last;

interface Bounds {
  readonly low: string | undefined;
  readonly high: string | undefined;
  /** The bound at which the query ends. */
  readonly last: string | undefined;
}

const boundsOf = ({ prefix, from, to, descending }: Range): Bounds => {
  // DynamoDB refuses an empty bound. Every key follows it.
  const low = (from ?? prefix) === '' ? undefined : (from ?? prefix);
  const high = to ?? (prefix === undefined || prefix === '' ? undefined : `${prefix}\uffff`);
  return { low, high, last: descending === true ? low : high };
};

const sortCondition = (low: string | undefined, high: string | undefined): string => {
  if (low !== undefined && high !== undefined) return ' AND sk BETWEEN :low AND :high';
  if (low !== undefined) return ' AND sk >= :low';
  return high === undefined ? '' : ' AND sk <= :high';
};

/** DynamoDB takes one condition on the sort key: a prefix, or bounds, which can also express a prefix. */
const conditionOf = (
  pk: string,
  { low, high }: Bounds,
): { KeyConditionExpression: string; ExpressionAttributeValues: Record<string, AttributeValue> } => {
  const values = {
    ':pk': pk,
    ...(low === undefined ? {} : { ':low': low }),
    ...(high === undefined ? {} : { ':high': high }),
  };
  return {
    KeyConditionExpression: `pk = :pk${sortCondition(low, high)}`,
    ExpressionAttributeValues: toAttributeValues(values),
  };
};

const putItem = async (
  { client, tableName, ids, pause, rates = uncontrolled }: DynamoTableDeps,
  key: Key,
  set: Attributes,
): Promise<void> => {
  const Item = toAttributeValues({ ...set, ...key, w: ids.nonce() });
  const put = { ...countUnits, TableName: tableName, Item };
  await untilServed({ pause, control: rates.write }, () => client.call('PutItem', put));
};

const addTo = async (
  { client, tableName, ids, pause, rates = uncontrolled }: DynamoTableDeps,
  key: Key,
  { by, ttl }: { readonly by: number; readonly ttl?: number },
): Promise<number> => {
  const update = {
    ...countUnits,
    TableName: tableName,
    Key: toAttributeValues({ pk: key.pk, sk: key.sk }),
    UpdateExpression: `SET w = :w${ttl === undefined ? '' : ', #ttl = :ttl'} ADD #value :by`,
    ExpressionAttributeNames: { '#value': 'value', ...(ttl === undefined ? {} : { '#ttl': 'ttl' }) },
    ExpressionAttributeValues: toAttributeValues({
      ':by': by,
      ':w': ids.nonce(),
      ...(ttl === undefined ? {} : { ':ttl': ttl }),
    }),
    ReturnValues: 'UPDATED_NEW',
  } as const;
  const answer = await untilServed({ pause, control: rates.write }, () => client.call('UpdateItem', update));
  return v.parse(counter, fromAttributeValues(answer.Attributes ?? {})).value;
};
