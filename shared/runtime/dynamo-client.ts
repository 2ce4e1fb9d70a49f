import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { dynamoTable } from '../table/dynamo-table.ts';
import type { Table } from '../table/table.ts';
import { clientOptions } from './aws-client.ts';
import { env } from './env.ts';
import { systemIds } from './ids.ts';
import { jitteredPause } from './pause.ts';
import { PlainJsonProtocol } from './plain-json-protocol.ts';

let table: Table | undefined;

/**
 * A client without the SDK's logging step, which copies every input and output even when nobody logs (3 % of an import),
 * and that puts its steps together once per command, not at every call.
 */
export const quietClient = (options: DynamoDBClientConfig = clientOptions): DynamoDBClient => {
  const client = new DynamoDBClient({ ...options, protocol: PlainJsonProtocol, cacheMiddleware: true });
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/** The service's table, named by the environment; one client a process. */
export const tableFromEnv = (): Table =>
  (table ??= dynamoTable({
    client: quietClient(),
    tableName: env('TABLE_NAME'),
    ids: systemIds,
    pause: jitteredPause,
  }));
