/** Tables from the environment: opens each DynamoDB table that a function names, with one client per process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { dynamoDb, type DynamoDb, RetriesOfFailures } from './dynamo-calls.ts';
import { appendOnlyTable, dynamoTable, type DynamoTableDeps } from './dynamo-table.ts';
import { rateControl, uncontrolled, type TableRates } from './rate-control.ts';
import { dynamoScan, type TableScan } from './table-scan.ts';
import type { AppendOnlyTable, Table } from './table.ts';
import { MAX_ATTEMPTS } from '../runtime/aws-client.ts';
import { systemClock } from '../runtime/clock.ts';
import { loadClass, type Env, type EnvName } from '../runtime/env.ts';
import { systemIds } from '../runtime/ids.ts';
import { jitteredPause } from '../runtime/pause.ts';

let client: DynamoDb | undefined;
let auditLog: AppendOnlyTable | undefined;
const tables = new Map<TableName, Table>();

/** Variables that name a table. */
type TableName = Extract<EnvName, `${string}TABLE_NAME`>;

const rates = new Map<TableName, TableRates>();

/** The rate control of this process for a table: one for all calls, or none in a function that answers a client. */
const ratesOf = (variable: TableName): TableRates => {
  if (loadClass() === 'interactive') return uncontrolled;
  const known = rates.get(variable);
  if (known) return known;
  const control = () => rateControl({ clock: systemClock, sleep: (ms) => sleep(ms) });
  const made = { read: control(), write: control() };
  rates.set(variable, made);
  return made;
};

const depsOf = <Name extends TableName>(env: Env<Name>, variable: Name): DynamoTableDeps => {
  client ??= dynamoDb({ retries: new RetriesOfFailures(MAX_ATTEMPTS) });
  return {
    client,
    tableName: env(variable),
    ids: systemIds,
    pause: jitteredPause,
    rates: ratesOf(variable),
  };
};

const named = <Name extends TableName>(env: Env<Name>, variable: Name): Table => {
  const known = tables.get(variable);
  if (known) return known;
  const table = dynamoTable(depsOf(env, variable));
  tables.set(variable, table);
  return table;
};

/** The table of data, named by the environment; one client a process. */
export const tableFromEnv = (env: Env<'TABLE_NAME'>): Table => named(env, 'TABLE_NAME');

/** The scan of the table of data, named by the environment. */
export const tableScanFromEnv = (env: Env<'TABLE_NAME'>): TableScan => dynamoScan(depsOf(env, 'TABLE_NAME'));

/** The table of credentials, named by the environment. */
export const credentialsFromEnv = (env: Env<'CREDENTIALS_TABLE_NAME'>): Table =>
  named(env, 'CREDENTIALS_TABLE_NAME');

/** The table of request rates that the environment names. */
export const ratesFromEnv = (env: Env<'RATES_TABLE_NAME'>): Table => named(env, 'RATES_TABLE_NAME');

/** The table of the audit log, named by the environment. */
export const auditLogFromEnv = (env: Env<'AUDIT_LOG_TABLE_NAME'>): AppendOnlyTable =>
  (auditLog ??= appendOnlyTable(depsOf(env, 'AUDIT_LOG_TABLE_NAME')));
