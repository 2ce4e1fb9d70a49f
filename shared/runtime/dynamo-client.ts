import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoTable } from '../table/dynamo-table.ts';
import type { Table } from '../table/table.ts';
import { clientOptions } from './aws-client.ts';
import { env } from './env.ts';
import { systemIds } from './ids.ts';
import { jitteredPause } from './pause.ts';

let table: Table | undefined;

/** The service's table, named by the environment; one client a process. */
export const tableFromEnv = (): Table =>
  (table ??= dynamoTable({
    client: new DynamoDBClient(clientOptions),
    tableName: env('TABLE_NAME'),
    ids: systemIds,
    pause: jitteredPause,
  }));
