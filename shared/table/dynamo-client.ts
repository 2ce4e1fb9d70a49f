/**
 * Tables from the environment: opens each DynamoDB table that a function names, with one client per process.
 */
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { appendOnlyTable, dynamoTable, type DynamoTableDeps } from './dynamo-table.ts';
import { dynamoScan, type TableScan } from './table-scan.ts';
import type { AppendOnlyTable, Table } from './table.ts';
import { clientOptions } from '../runtime/aws-client.ts';
import { env, type EnvName } from '../runtime/env.ts';
import { systemIds } from '../runtime/ids.ts';
import { jitteredPause } from '../runtime/pause.ts';
import { PlainJsonProtocol } from './plain-json-protocol.ts';

/**
 * A client without the SDK's logging middleware, which copies every input and output even when logging is off
 * (3 % of an import). It builds its middleware stack once per command instead of at every call.
 */
export const quietClient = (options: DynamoDBClientConfig = clientOptions()): DynamoDBClient => {
  const client = new DynamoDBClient({ ...options, protocol: PlainJsonProtocol, cacheMiddleware: true });
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

let client: DynamoDBClient | undefined;
let auditLog: AppendOnlyTable | undefined;
const tables = new Map<TableName, Table>();

/** Variables that name a table. */
type TableName = Extract<EnvName, `${string}TABLE_NAME`>;

const depsOf = (variable: TableName): DynamoTableDeps => {
  client ??= quietClient();
  return { client, tableName: env(variable), ids: systemIds, pause: jitteredPause };
};

const named = (variable: TableName): Table => {
  const known = tables.get(variable);
  if (known) return known;
  const table = dynamoTable(depsOf(variable));
  tables.set(variable, table);
  return table;
};

/** The table of data that the environment names. */
export const tableFromEnv = (): Table => named('TABLE_NAME');

/** The scan of the table of data that the environment names. */
export const tableScanFromEnv = (): TableScan => {
  client ??= quietClient();
  return dynamoScan(client, env('TABLE_NAME'));
};

/** The table of credentials that the environment names. */
export const credentialsFromEnv = (): Table => named('CREDENTIALS_TABLE_NAME');

/** The table of request rates that the environment names. */
export const ratesFromEnv = (): Table => named('RATES_TABLE_NAME');

/** The table of the audit log that the environment names. */
export const auditLogFromEnv = (): AppendOnlyTable =>
  (auditLog ??= appendOnlyTable(depsOf('AUDIT_LOG_TABLE_NAME')));
