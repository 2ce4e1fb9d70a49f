/** Tables: creates tables in dynalite's storage. */
import * as v from 'valibot';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../core/service-error.ts';
import type { Engine } from './engine.ts';
import { keepTable } from './known-tables.ts';
import { act, check } from './operations.ts';
import type { IndexDefinition, KeyAttribute, KeySchemaTable, TableDefinition } from './types.ts';

const Description = v.object({
  Table: v.object({
    TableName: v.string(),
    TableStatus: v.string(),
    KeySchema: v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) })),
    AttributeDefinitions: v.array(
      v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) }),
    ),
    GlobalSecondaryIndexes: v.optional(v.array(v.unknown())),
  }),
});

/** dynalite activates a new table on a timer of 0 ms. This number of polls is more than sufficient. */
const MAX_LOOKS = 1000;

/** Days that a restore can reach back (the most that AWS allows). */
export const RECOVERY_DAYS = 35;

/**
 * Creates a table unless it exists, and adds it to the engine once it is active. A table that exists gets a history if
 * the definition asks for one; nothing else of it changes.
 */
export const addTable = async (engine: Engine, definition: TableDefinition): Promise<void> => {
  const { name, timeToLive, deletionProtection = false, keyArn } = definition;
  engine.addTable(await makeTable(engine, createInput(definition)));
  if (!engine.controls.of(name))
    await engine.controls.change(name, { timeToLive, deletionProtection, keyArn });
  if (definition.pointInTimeRecovery === true && !engine.histories.of(name))
    await startRecovery(engine, name, RECOVERY_DAYS);
};

/** Begins to keep the history of a table. */
export const startRecovery = async (engine: Engine, table: string, days: number): Promise<void> => {
  const recovery = { since: engine.now(), days };
  await engine.controls.change(table, { recovery });
  await engine.histories.keep(table, recovery);
};

/**
 * Takes up the tables of earlier runs, also those that no template names. A restore that ended with its process leaves
 * no table.
 */
export const takeUpTables = async (engine: Engine): Promise<void> => {
  for (const { table, isCreating, recovery } of engine.controls.all()) {
    if (isCreating) {
      await engine.removeTable(table);
      continue;
    }
    engine.addTable(await activeTable(engine, table));
    if (recovery) await engine.histories.keep(table, recovery);
  }
};

/** The input of CreateTable. */
type CreateInput = Pick<KeySchemaTable, 'TableName' | 'KeySchema' | 'AttributeDefinitions'> & {
  readonly BillingMode: 'PAY_PER_REQUEST';
  readonly GlobalSecondaryIndexes?: readonly object[];
};

/** Creates a table unless it exists. The engine does not know it yet. */
export const makeTable = async (engine: Engine, input: CreateInput): Promise<KeySchemaTable> => {
  const exists = await describe(engine, input.TableName);
  if (!exists) await act(engine.store, 'CreateTable', check(engine.store, 'CreateTable', input));
  return activeTable(engine, input.TableName);
};

const activeTable = async (engine: Engine, name: string): Promise<KeySchemaTable> => {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const table = await describe(engine, name);
    if (table?.TableStatus === 'ACTIVE') {
      await keepTable(engine.store, name);
      return known(table);
    }
    await pause(1);
  }
  throw new Error(`Table ${name} did not become active`);
};

const known = (table: v.InferOutput<typeof Description>['Table']): KeySchemaTable => {
  const { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = table;
  return {
    TableName,
    KeySchema,
    AttributeDefinitions,
    ...(GlobalSecondaryIndexes ? { GlobalSecondaryIndexes } : {}),
  };
};

const describe = async (engine: Engine, name: string) => {
  try {
    const input = check(engine.store, 'DescribeTable', { TableName: name });
    return v.parse(Description, await act(engine.store, 'DescribeTable', input)).Table;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

const createInput = (definition: TableDefinition): CreateInput => {
  const indexes = definition.indexes ?? [];
  const attributes = new Map<string, KeyAttribute>();
  for (const { partitionKey, sortKey } of [definition, ...indexes])
    for (const key of sortKey ? [partitionKey, sortKey] : [partitionKey]) attributes.set(key.name, key);

  return {
    TableName: definition.name,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(definition),
    AttributeDefinitions: [...attributes.values()].map(({ name, type }) => ({
      AttributeName: name,
      AttributeType: type,
    })),
    ...(indexes.length > 0 ? { GlobalSecondaryIndexes: indexes.map(indexInput) } : {}),
  };
};

const indexInput = (index: IndexDefinition): object => ({
  IndexName: index.name,
  KeySchema: keySchema(index),
  Projection: projection(index.nonKeyAttributes),
});

const projection = (names: readonly string[] | undefined): object => {
  if (names === undefined) return { ProjectionType: 'ALL' };
  return names.length === 0
    ? { ProjectionType: 'KEYS_ONLY' }
    : { ProjectionType: 'INCLUDE', NonKeyAttributes: [...names] };
};

const keySchema = ({
  partitionKey,
  sortKey,
}: Pick<TableDefinition, 'partitionKey' | 'sortKey'>): KeySchemaTable['KeySchema'] => [
  { AttributeName: partitionKey.name, KeyType: 'HASH' },
  ...(sortKey ? [{ AttributeName: sortKey.name, KeyType: 'RANGE' } as const] : []),
];
