/** Writes: runs dynalite's actions and meters them. */
import db from 'dynalite/db/index.js';
import * as v from 'valibot';
import type { Usage } from '../../core/types.ts';
import { ServiceError } from '../../core/service-error.ts';
import { oneCall, oneThrottle } from '../../core/usage.ts';
import { applyConditionRules } from './conditions.ts';
import type { Engine } from './engine.ts';
import { MeteredRefusal } from './metered-refusal.ts';
import { act, check, type StoredOperation } from './operations.ts';
import type { Answer, KindOfItem } from './reads.ts';
import { earlierAnswer, refuseLooseQuery } from './queries.ts';
import { itemBytes, MAX_ITEM_BYTES, writeUnits } from './sizes.ts';
import type { Demand } from './throughput.ts';
import type { AttributeValue, Item, KeySchemaTable } from './types.ts';
import { keyText, partitionText, refuseEmptyNames } from './values.ts';

const ItemShape = v.custom<Item>((item) => typeof item === 'object' && item !== null);
const Value = v.custom<AttributeValue>((value) => typeof value === 'object' && value !== null);
const TableInput = v.object({
  TableName: v.optional(v.string()),
  Item: v.optional(ItemShape),
  Key: v.optional(ItemShape),
  ExpressionAttributeValues: v.optional(ItemShape),
  KeyConditions: v.optional(v.record(v.string(), v.object({ AttributeValueList: v.array(Value) }))),
  ReturnConsumedCapacity: v.optional(v.string()),
});
type TableInput = v.InferOutput<typeof TableInput>;
const Asks = v.object({ ReturnValuesOnConditionCheckFailure: v.optional(v.string()) });
const Consumed = v.object({
  ConsumedCapacity: v.optional(v.object({ CapacityUnits: v.number() })),
  Items: v.optional(v.array(ItemShape)),
});

/** Units of the smallest read: an eventually consistent read of at most 4 KB. */
const LEAST_READ_UNITS = 0.5;

const READS: readonly string[] = ['Query', 'Scan', 'GetItem'];

/**
 * Runs an operation of dynalite. The cost comes from the capacity that dynalite reports; a write whose condition fails
 * costs the size of the stored item.
 */
export const runStored = async (
  engine: Engine,
  operation: StoredOperation,
  body: unknown,
  kindOf: KindOfItem,
): Promise<Answer> => {
  const asked = v.safeParse(Asks, body);
  const wantsItem = asked.success && asked.output.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  const data = check(engine.store, operation, body);
  const input = v.parse(TableInput, data);
  refuseLargeItem(input);
  applyConditionRules(data);
  if (operation === 'Query') refuseLooseQuery(engine, data);
  if (input.TableName !== undefined && operation !== 'ListTables') data['ReturnConsumedCapacity'] = 'TOTAL';
  const call: StoredCall = { engine, operation, input, kindOf };
  const demand = admitted(call);
  try {
    const answer = await remembering(engine, keysOf(operation, input), async () => {
      const acted = await act(engine.store, operation, data);
      return operation === 'Query' ? earlierAnswer(engine, data, acted) : acted;
    });
    const usage = usageOf(call, answer);
    if (demand) chargeRest(engine, demand, usage);
    if (input.ReturnConsumedCapacity === undefined) delete answer['ConsumedCapacity'];
    return { body: answer, usage };
  } catch (error) {
    throw demand ? refusalOf(call, demand, { error, wantsItem }) : error;
  }
};

/** A call of an operation of dynalite, with its checked input. */
interface StoredCall {
  readonly engine: Engine;
  readonly operation: StoredOperation;
  readonly input: TableInput;
  readonly kindOf: KindOfItem;
}

const WRITES: readonly string[] = ['PutItem', 'UpdateItem', 'DeleteItem'];

/** Takes the least units that the call can cost. Throws for a throttled call. Calls that name no items need none. */
const admitted = (call: StoredCall): Demand | undefined => {
  const { engine, operation, input } = call;
  const isRead = READS.includes(operation);
  if (input.TableName === undefined || !(isRead || WRITES.includes(operation))) return undefined;
  const demand: Demand = {
    access: isRead ? 'read' : 'write',
    table: input.TableName,
    units: isRead ? LEAST_READ_UNITS : 1,
    ...partitionOf(call, engine.table(input.TableName)),
  };
  if (engine.throughput.admit(demand)) return demand;
  const throttled = engine.throughput.throttled(demand.access, demand.table);
  throw new MeteredRefusal(throttled, [{ ...lineOf(call, input.Item ?? input.Key), ...oneThrottle }]);
};

const partitionOf = ({ operation, input }: StoredCall, table: KeySchemaTable): Pick<Demand, 'partition'> => {
  const item = input.Item ?? input.Key;
  if (item) return { partition: partitionText(table, item) };
  const [name] = table.KeySchema.map(({ AttributeName }) => AttributeName);
  const value = input.KeyConditions?.[name ?? '']?.AttributeValueList[0];
  return operation === 'Query' && value ? { partition: keyText(value) } : {};
};

/** Takes the units of a served call beyond the units of its admission. */
const chargeRest = ({ throughput }: Engine, demand: Demand, usage: readonly Usage[]): void => {
  const units = usage.reduce((sum, { readUnits, writeUnits: write }) => sum + readUnits + write, 0);
  throughput.charge({ ...demand, units: Math.max(0, units - demand.units) });
};

/** The error of a call, with the cost of a failed condition and the stored item that dynalite omits. */
const refusalOf = (
  call: StoredCall,
  demand: Demand,
  { error, wantsItem }: { readonly error: unknown; readonly wantsItem: boolean },
): unknown => {
  if (!(error instanceof ServiceError) || error.code !== 'ConditionalCheckFailedException') return error;
  const { engine, input } = call;
  const table = engine.table(demand.table);
  const item = engine.read(table, engine.keyOf(table, input.Key ?? input.Item ?? {}));
  const bytes = item ? itemBytes(item) : 0;
  const units = writeUnits(bytes);
  const usage = [
    { ...lineOf(call, input.Key ?? input.Item), ...oneCall, writeUnits: units, refusedUnits: units, bytes },
  ];
  chargeRest(engine, demand, usage);
  engine.throughput.noteRefused(demand.table, units);
  const extra = wantsItem && item ? { Item: item } : {};
  return new MeteredRefusal(new ServiceError(error.code, error.message, error.status, extra), usage);
};

interface Written {
  readonly table: string;
  readonly key: Item;
}

const keysOf = (operation: StoredOperation, { TableName, Item: item, Key }: TableInput): Written[] => {
  const key = item ?? Key;
  return TableName === undefined || !key || READS.includes(operation) ? [] : [{ table: TableName, key }];
};

/** Runs a write of dynalite, and records the earlier state of its items. */
const remembering = async <T>(
  engine: Engine,
  written: readonly Written[],
  write: () => Promise<T>,
): Promise<T> => {
  const before = written.flatMap(({ table: name, key: item }) => {
    const table = engine.table(name);
    const names = table.KeySchema.map(({ AttributeName }) => AttributeName);
    const keyItem = Object.fromEntries(
      Object.entries(item).filter(([attribute]) => names.includes(attribute)),
    );
    // dynalite refuses the write.
    if (db.validateKey(keyItem, table)) return [];
    const key = engine.keyOf(table, keyItem);
    return [{ table, key, item: engine.read(table, key) }];
  });
  const done = await write();
  for (const { table, key, item } of before) engine.noteEarlier(table, key, item);
  return done;
};

const refuseLargeItem = (input: TableInput): void => {
  refuseEmptyNames([input.Item ?? {}, input.ExpressionAttributeValues ?? {}]);
  if (input.Item && itemBytes(input.Item) > MAX_ITEM_BYTES)
    throw new ServiceError('ValidationException', 'Item size has exceeded the maximum allowed size');
};

const usageOf = (call: StoredCall, answer: Record<string, unknown>): Usage[] => {
  const { operation, input } = call;
  if (input.TableName === undefined) return [];
  const { ConsumedCapacity, Items } = v.parse(Consumed, answer);
  const units = ConsumedCapacity?.CapacityUnits ?? 0;
  const isRead = READS.includes(operation);
  return [
    {
      ...lineOf(call, input.Item ?? input.Key ?? Items?.[0]),
      ...oneCall,
      readUnits: isRead ? Math.max(units, LEAST_READ_UNITS) : 0,
      writeUnits: isRead ? 0 : units,
      bytes: (Items ?? (input.Item ? [input.Item] : [])).reduce((sum, one) => sum + itemBytes(one), 0),
    },
  ];
};

const lineOf = ({ engine, operation, input, kindOf }: StoredCall, item: Item | undefined) => ({
  action: `dynamodb:${operation}`,
  kind: item ? kindOf(engine.table(input.TableName ?? ''), item) : 'none',
});

const BatchWrites = v.object({
  RequestItems: v.record(
    v.string(),
    v.array(
      v.object({
        PutRequest: v.optional(v.object({ Item: ItemShape })),
        DeleteRequest: v.optional(v.object({ Key: ItemShape })),
      }),
    ),
  ),
});

/**
 * BatchWriteItem. The meter counts each item separately, without the size of an overwritten item. Throttled items are
 * unprocessed; a batch of which the tables serve no item is refused as a whole (API reference of BatchWriteItem).
 */
export const runBatchWrite = async (engine: Engine, body: unknown, kindOf: KindOfItem): Promise<Answer> => {
  const data = check(engine.store, 'BatchWriteItem', body);
  const writes = Object.entries(v.parse(BatchWrites, data).RequestItems).flatMap(([table, requests]) =>
    requests.map((request) => batchWriteOf(engine, table, request, kindOf)),
  );
  refuseEmptyNames(writes.map(({ request }) => request.PutRequest?.Item ?? {}));
  const { kept = [], late = [] } = Object.groupBy(writes, ({ demand }) =>
    engine.throughput.admit(demand) ? 'kept' : 'late',
  );
  const usage = [
    ...kept.map(({ line, demand, bytes }) => ({ ...line, ...oneCall, writeUnits: demand.units, bytes })),
    ...late.map(({ line }) => ({ ...line, ...oneThrottle })),
  ];
  if (kept.length === 0)
    throw new MeteredRefusal(engine.throughput.throttled('write', late[0]?.table ?? ''), usage);
  const written = kept.map(({ table, item }) => ({ table, key: item }));
  const answer = await remembering(engine, written, () =>
    act(engine.store, 'BatchWriteItem', { ...data, RequestItems: requestsOf(kept) }),
  );
  return { body: late.length > 0 ? { ...answer, UnprocessedItems: requestsOf(late) } : answer, usage };
};

type BatchRequest = v.InferOutput<typeof BatchWrites>['RequestItems'][string][number];

const batchWriteOf = (engine: Engine, table: string, request: BatchRequest, kindOf: KindOfItem) => {
  const schema = engine.table(table);
  const item = request.PutRequest?.Item ?? request.DeleteRequest?.Key ?? {};
  const bytes = request.PutRequest ? itemBytes(item) : 0;
  const partition = partitionText(schema, item);
  const demand: Demand = { access: 'write', table, partition, units: writeUnits(bytes) };
  return {
    table,
    request,
    item,
    bytes,
    demand,
    line: { action: 'dynamodb:BatchWriteItem', kind: kindOf(schema, item) },
  };
};

const requestsOf = (writes: readonly { readonly table: string; readonly request: BatchRequest }[]) => {
  const requests: Record<string, BatchRequest[]> = {};
  for (const { table, request } of writes) (requests[table] ??= []).push(request);
  return requests;
};
