import { createFaults } from '../../local/core/faults.ts';
import type { Meter } from '../../local/gateway/meter.ts';
import { createDynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { dynamoDb, type DynamoDb } from '../../shared/table/dynamo-calls.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Table } from '../../shared/table/table.ts';
import { clientOf, startGateway } from '../../local/test/gateway/cloud.ts';
import { withSecondEngine } from '../second-engine/second-engine.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { sdkDynamoDb } from './sdk-dynamo-db.ts';

/** A table under test and how to let go of it. */
export interface Engine {
  readonly table: Table;
  close(): Promise<void>;
}

/** The table as maps. */
const inMemory = (): Promise<Engine> =>
  Promise.resolve({ table: new MemoryTable(), close: () => Promise.resolve() });

/**
 * The table on the embedded DynamoDB, which `connect` calls; with `faults` that share of the calls is throttled, fails or
 * loses its answer.
 */
export const onDynamoDb = async (
  faults = 0,
  connect: (options: ReturnType<typeof clientOf>) => DynamoDb = dynamoDb,
): Promise<Engine & { readonly meter: Meter }> => {
  const db = withSecondEngine(await createDynamoDb({ kindOf: kindOfKey }));
  const key = (name: string) => ({ name, type: 'S' }) as const;
  await db.createTable({ name: 'tidemark', partitionKey: key('pk'), sortKey: key('sk') });
  const gateway = await startGateway([db.service], faults > 0 ? { faults: createFaults(7, faults) } : {});
  const client = connect({ ...clientOf(gateway), maxAttempts: 12 });
  const pause = (): Promise<void> => Promise.resolve();
  return {
    meter: gateway.meter,
    table: dynamoTable({ client, tableName: 'tidemark', ids: systemIds, pause }),
    close: async () => {
      client.destroy();
      await gateway.close();
      await db.close();
    },
  };
};

/** The engines that keep the contract of the table: their names, how to open them, and whether their calls fail. */
export const engines = [
  ['in memory', inMemory, false],
  ['on DynamoDB', () => onDynamoDb(), false],
  ['on a DynamoDB that fails', () => onDynamoDb(0.1), true],
  ['on DynamoDB through the client of the SDK', () => onDynamoDb(0, sdkDynamoDb), false],
  ['on a DynamoDB that fails, through the client of the SDK', () => onDynamoDb(0.1, sdkDynamoDb), true],
] as const;
