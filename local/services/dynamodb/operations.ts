/** Operations: runs dynalite's validation and actions. */
import batchWriteItem from 'dynalite/actions/batchWriteItem.js';
import createTable from 'dynalite/actions/createTable.js';
import deleteItem from 'dynalite/actions/deleteItem.js';
import describeTable from 'dynalite/actions/describeTable.js';
import getItem from 'dynalite/actions/getItem.js';
import listTables from 'dynalite/actions/listTables.js';
import putItem from 'dynalite/actions/putItem.js';
import query from 'dynalite/actions/query.js';
import scan from 'dynalite/actions/scan.js';
import updateItem from 'dynalite/actions/updateItem.js';
import type { Store } from 'dynalite/db/index.js';
import batchGetItemCheck from 'dynalite/validations/batchGetItem.js';
import batchWriteItemCheck from 'dynalite/validations/batchWriteItem.js';
import createTableCheck from 'dynalite/validations/createTable.js';
import deleteItemCheck from 'dynalite/validations/deleteItem.js';
import describeTableCheck from 'dynalite/validations/describeTable.js';
import getItemCheck from 'dynalite/validations/getItem.js';
import validations from 'dynalite/validations/index.js';
import listTablesCheck from 'dynalite/validations/listTables.js';
import putItemCheck from 'dynalite/validations/putItem.js';
import queryCheck from 'dynalite/validations/query.js';
import scanCheck from 'dynalite/validations/scan.js';
import updateItemCheck from 'dynalite/validations/updateItem.js';
import * as v from 'valibot';
import { ServiceError } from '../../core/service-error.ts';

const checks = {
  BatchGetItem: batchGetItemCheck,
  BatchWriteItem: batchWriteItemCheck,
  CreateTable: createTableCheck,
  DeleteItem: deleteItemCheck,
  DescribeTable: describeTableCheck,
  GetItem: getItemCheck,
  ListTables: listTablesCheck,
  PutItem: putItemCheck,
  Query: queryCheck,
  Scan: scanCheck,
  UpdateItem: updateItemCheck,
};

const actions = {
  BatchWriteItem: batchWriteItem,
  CreateTable: createTable,
  DeleteItem: deleteItem,
  DescribeTable: describeTable,
  GetItem: getItem,
  ListTables: listTables,
  PutItem: putItem,
  Query: query,
  Scan: scan,
  UpdateItem: updateItem,
};

/** The operations that dynalite validates, and the operations that it also executes. */
export type CheckedOperation = keyof typeof checks;
export type StoredOperation = keyof typeof actions;

/** True for operations that dynalite executes. */
export const isStoredOperation = (name: string): name is StoredOperation => Object.hasOwn(actions, name);

const Refusal = v.object({
  statusCode: v.number(),
  body: v.object({ __type: v.string(), message: v.optional(v.string()), Message: v.optional(v.string()) }),
});

/** dynalite's refusals have a status and a body. Other errors are bugs and propagate. */
const refusalOf = (error: unknown): unknown => {
  const refusal = v.safeParse(Refusal, error);
  if (!refusal.success) return error;
  const { __type, message, Message } = refusal.output.body;
  return new ServiceError(
    __type.split('#').at(-1) ?? __type,
    message ?? Message ?? '',
    refusal.output.statusCode,
  );
};

/** Validates a request like the real service, and returns it with parsed expressions. */
export const check = (store: Store, operation: CheckedOperation, body: unknown): Record<string, unknown> => {
  const { types, custom } = checks[operation];
  try {
    const data = validations.checkTypes(body, types);
    validations.checkValidations(data, types, custom, store);
    return data;
  } catch (error) {
    throw refusalOf(error);
  }
};

/** Executes a validated request on the storage. */
export const act = (
  store: Store,
  operation: StoredOperation,
  data: Record<string, unknown>,
): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    actions[operation](store, data, (error, answer) => {
      if (error) reject(toError(refusalOf(error)));
      else resolve(answer);
    });
  });

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
