import * as v from 'valibot';
import { arn } from '../../core/arn.ts';
import type { AwsRequest, NeededPermission } from '../../core/types.ts';
import { jsonBody, targetOperation } from '../../core/json-protocol.ts';
import { parseStatement } from './partiql-parser.ts';
import { parseBatch, parseTransaction, type StatementInput } from './partiql-bind.ts';
import { actionOf } from './partiql.ts';

const TableInput = v.object({ TableName: v.string(), IndexName: v.optional(v.string()) });
const RestoreInput = v.object({ SourceTableName: v.string(), TargetTableName: v.string() });
const TablesInput = v.object({ RequestItems: v.record(v.string(), v.unknown()) });

/**
 * The permissions of a DynamoDB call, from the service's action table: reads and writes on their table (or index),
 * PartiQL per statement, ListTables on `*`. An invalid body needs none, because the service refuses it.
 */
export const permissionsOf = (request: AwsRequest): readonly NeededPermission[] => {
  const operation = targetOperation(request);
  const body = jsonBody(request);
  const action = `dynamodb:${operation}`;
  const statements = statementsOf(operation, body);
  if (statements)
    return unique(statements.map((needed) => ({ action: needed.action, resource: tableArn(needed.table) })));
  const tables = v.safeParse(TablesInput, body);
  if (tables.success)
    return Object.keys(tables.output.RequestItems).map((name) => ({ action, resource: tableArn(name) }));
  const restore = v.safeParse(RestoreInput, body);
  if (restore.success) {
    const { SourceTableName, TargetTableName } = restore.output;
    return [SourceTableName, TargetTableName].map((name) => ({ action, resource: tableArn(name) }));
  }
  const table = v.safeParse(TableInput, body);
  if (!table.success) return [{ action, resource: '*' }];
  const { TableName, IndexName } = table.output;
  return [
    { action, resource: IndexName ? `${tableArn(TableName)}/index/${IndexName}` : tableArn(TableName) },
  ];
};

const tableArn = (table: string): string => arn('dynamodb', `table/${table}`);

/** The permissions of an operation of PartiQL; `undefined` for any other operation. */
const statementsOf = (operation: string, body: unknown): { action: string; table: string }[] | undefined => {
  const read = batches[operation];
  if (!read) return undefined;
  // Most statements of a batch differ only in their parameters.
  const texts = new Set(read(body).map(({ Statement }) => Statement));
  return [...texts].flatMap(permissionOf);
};

const batchOf = (body: unknown): readonly StatementInput[] => {
  const batch = parseBatch(body);
  return batch.success ? batch.output.Statements : [];
};

/** The statements of each operation of PartiQL. */
const batches: Readonly<Record<string, (body: unknown) => readonly StatementInput[]>> = {
  BatchExecuteStatement: batchOf,
  ExecuteStatement: (body) => batchOf({ Statements: [body] }),
  ExecuteTransaction: (body) => {
    const transaction = parseTransaction(body);
    return transaction.success ? transaction.output.TransactStatements : [];
  },
};

const permissionOf = (text: string): { action: string; table: string }[] => {
  try {
    const statement = parseStatement(text);
    return [{ action: actionOf(statement), table: statement.table }];
  } catch {
    // An unsupported statement becomes an error of the statement instead of a denial.
    return [];
  }
};

const unique = (permissions: readonly NeededPermission[]): NeededPermission[] => [
  ...new Map(
    permissions.map((permission) => [`${permission.action} ${permission.resource}`, permission]),
  ).values(),
];
