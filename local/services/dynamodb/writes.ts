/** Writes: runs dynalite's actions and meters them. */
import db from 'dynalite/db/index.js';
import * as v from 'valibot';
import type { Usage } from '../../core/types.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { Engine } from './engine.ts';
import { act, check, type StoredOperation } from './operations.ts';
import type { Answer, KindOfItem } from './reads.ts';
import { earlierAnswer, refuseLooseQuery } from './queries.ts';
import { itemBytes, MAX_ITEM_BYTES, writeUnits } from './sizes.ts';
import type { Item } from './types.ts';
import { refuseEmptyNames } from './values.ts';

const ItemShape = v.custom<Item>((item) => typeof item === 'object' && item !== null);
const TableInput = v.object({
  TableName: v.optional(v.string()),
  Item: v.optional(ItemShape),
  Key: v.optional(ItemShape),
  ExpressionAttributeValues: v.optional(ItemShape),
  ReturnConsumedCapacity: v.optional(v.string()),
});
type TableInput = v.InferOutput<typeof TableInput>;
const Asks = v.object({ ReturnValuesOnConditionCheckFailure: v.optional(v.string()) });
const Consumed = v.object({
  ConsumedCapacity: v.optional(v.object({ CapacityUnits: v.number() })),
  Items: v.optional(v.array(ItemShape)),
});

const READS: readonly string[] = ['Query', 'Scan', 'GetItem'];

/** Runs an operation of dynalite. The cost comes from the capacity that dynalite reports. */
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
  if (operation === 'Query') refuseLooseQuery(engine, data);
  if (input.TableName !== undefined && operation !== 'ListTables') data['ReturnConsumedCapacity'] = 'TOTAL';
  try {
    const answer = await remembering(engine, keysOf(operation, input), async () => {
      const acted = await act(engine.store, operation, data);
      return operation === 'Query' ? earlierAnswer(engine, data, acted) : acted;
    });
    const usage = usageOf(engine, operation, input, answer, kindOf);
    if (input.ReturnConsumedCapacity === undefined) delete answer['ConsumedCapacity'];
    return { body: answer, usage };
  } catch (error) {
    throw wantsItem ? withItem(engine, input, error) : error;
  }
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

const usageOf = (
  engine: Engine,
  operation: StoredOperation,
  input: TableInput,
  answer: Record<string, unknown>,
  kindOf: KindOfItem,
): Usage[] => {
  if (input.TableName === undefined) return [];
  const { ConsumedCapacity, Items } = v.parse(Consumed, answer);
  const units = ConsumedCapacity?.CapacityUnits ?? 0;
  const isRead = READS.includes(operation);
  const item = input.Item ?? input.Key ?? Items?.[0];
  return [
    {
      action: `dynamodb:${operation}`,
      kind: item ? kindOf(engine.table(input.TableName), item) : 'none',
      calls: 1,
      readUnits: isRead ? Math.max(units, 0.5) : 0,
      writeUnits: isRead ? 0 : units,
      bytes: (Items ?? (input.Item ? [input.Item] : [])).reduce((sum, one) => sum + itemBytes(one), 0),
    },
  ];
};

/** Adds the stored item to a failed condition, which dynalite omits. */
const withItem = (engine: Engine, input: TableInput, error: unknown): unknown => {
  if (!(error instanceof ServiceError) || error.code !== 'ConditionalCheckFailedException') return error;
  const table = engine.table(input.TableName ?? '');
  const item = engine.read(table, engine.keyOf(table, input.Key ?? input.Item ?? {}));
  return new ServiceError(error.code, error.message, error.status, item ? { Item: item } : {});
};

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

/** BatchWriteItem. The meter counts each item separately, without the size of an overwritten item. */
export const runBatchWrite = async (engine: Engine, body: unknown, kindOf: KindOfItem): Promise<Answer> => {
  const data = check(engine.store, 'BatchWriteItem', body);
  const { RequestItems } = v.parse(BatchWrites, data);
  refuseEmptyNames(
    Object.values(RequestItems).flatMap((requests) =>
      requests.map(({ PutRequest }) => PutRequest?.Item ?? {}),
    ),
  );
  const written = Object.entries(RequestItems).flatMap(([table, requests]) =>
    requests.map(({ PutRequest, DeleteRequest }) => ({
      table,
      key: PutRequest?.Item ?? DeleteRequest?.Key ?? {},
    })),
  );
  const answer = await remembering(engine, written, () => act(engine.store, 'BatchWriteItem', data));
  const usage = Object.entries(RequestItems).flatMap(([name, requests]) =>
    requests.map(({ PutRequest, DeleteRequest }) => {
      const bytes = PutRequest ? itemBytes(PutRequest.Item) : 0;
      const kind = kindOf(engine.table(name), PutRequest?.Item ?? DeleteRequest?.Key ?? {});
      return {
        action: 'dynamodb:BatchWriteItem',
        kind,
        calls: 1,
        readUnits: 0,
        writeUnits: writeUnits(bytes),
        bytes,
      };
    }),
  );
  return { body: answer, usage };
};
