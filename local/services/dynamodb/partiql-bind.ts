/** PartiQL binding: validates the parameters of statements and assigns them to attributes. */
import db from 'dynalite/db/index.js';
import * as v from 'valibot';
import { ServiceError } from '../../core/service-error.ts';
import type { Engine } from './engine.ts';
import { parseStatement, type Statement } from './partiql-parser.ts';
import type { AttributeValue, Item, KeySchemaTable } from './types.ts';
import { attributeValue } from './values.ts';

export const StatementInput = v.object({
  Statement: v.string(),
  Parameters: v.optional(v.array(v.unknown()), []),
  ReturnValuesOnConditionCheckFailure: v.optional(v.string()),
});

const BatchInput = v.object({ Statements: v.array(StatementInput) });
export type StatementInput = v.InferOutput<typeof StatementInput>;

const TransactionInput = v.object({
  TransactStatements: v.array(StatementInput),
  ClientRequestToken: v.optional(v.string()),
});

/** The statements of a transaction, and the token by which the transaction is known. */
export const parseTransaction = (body: unknown): v.SafeParseResult<typeof TransactionInput> =>
  v.safeParse(TransactionInput, body);

const batches = new WeakMap<object, v.SafeParseResult<typeof BatchInput>>();

/** The statements of a batch. A body is parsed only once. */
export const parseBatch = (body: unknown): v.SafeParseResult<typeof BatchInput> => {
  const known = typeof body === 'object' && body !== null ? batches.get(body) : undefined;
  if (known) return known;
  const parsed = v.safeParse(BatchInput, body);
  if (typeof body === 'object' && body !== null) batches.set(body, parsed);
  return parsed;
};

/** Result of one statement, and its index in `Responses`. */
export interface StatementOutcome {
  readonly TableName?: string;
  readonly Error?: { readonly Code: string; readonly Message: string; readonly Item?: Item };
}

/** A statement with its parameters, ready for a decision under the locks. */
export interface Bound {
  readonly kind: Statement['kind'];
  readonly table: KeySchemaTable;
  readonly key: string;
  readonly keyItem: Item;
  readonly set: Item;
  readonly where: Item;
  readonly returnItem: boolean;
}

/** A statement whose parameters are valid values. */
export interface CheckedStatement extends Omit<StatementInput, 'Parameters'> {
  readonly Parameters: readonly AttributeValue[];
}

/**
 * Validates the parameters of statements. An invalid parameter fails the whole request, as in the real service, which
 * reads all parameters before it executes a statement. Throws ValidationException.
 */
export const checkParameters = (statements: readonly StatementInput[]): readonly CheckedStatement[] =>
  statements.map((statement) => ({ ...statement, Parameters: statement.Parameters.map(attributeValue) }));

/** Assigns the parameters of a statement to attributes. An invalid statement becomes its own result. */
export const bindOrRefuse = (engine: Engine, input: CheckedStatement): Bound | StatementOutcome => {
  try {
    return bind(engine, input);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { Error: { Code: batchCode(error.code), Message: error.message } };
  }
};

/** Batch results have codes of their own, not the names of exceptions: BatchStatementErrorCodeEnum. */
const batchCode = (code: string): string =>
  code === 'ResourceNotFoundException' ? 'ResourceNotFound' : 'ValidationError';

/** Assigns the parameters of a statement to attributes. Throws ValidationException or ResourceNotFoundException. */
export const bind = (engine: Engine, input: CheckedStatement): Bound => {
  const statement = parseStatement(input.Statement);
  const table = engine.table(statement.table);
  const names = namesOf(statement);
  if (names.length !== input.Parameters.length) {
    throw new ServiceError(
      'ValidationException',
      "Number of parameters in request and statement don't match.",
    );
  }
  const values = input.Parameters;
  const setCount = setCountOf(statement);
  const set = itemOf(names.slice(0, setCount), values);
  const where = statement.kind === 'insert' ? set : itemOf(names.slice(setCount), values.slice(setCount));
  const keyItem = keyOf(table, where, statement.kind);
  refuseKeyUpdate(statement, table, set);
  const returnItem = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return { kind: statement.kind, table, key: engine.keyOf(table, keyItem), keyItem, set, where, returnItem };
};

/** The number of leading parameters that are new values; the parameters after them are conditions. */
const setCountOf = (statement: Statement): number => {
  if (statement.kind === 'insert') return statement.names.length;
  return statement.kind === 'update' ? statement.sets.length : 0;
};

const namesOf = (statement: Statement): readonly string[] => {
  if (statement.kind === 'insert') return statement.names;
  return statement.kind === 'update' ? [...statement.sets, ...statement.where] : statement.where;
};

const itemOf = (names: readonly string[], values: readonly AttributeValue[]): Item => {
  const item: Record<string, AttributeValue> = {};
  names.forEach((name, index) => {
    const value = values[index];
    if (item[name] !== undefined)
      throw new ServiceError('ValidationException', `Attribute ${name} is named twice`);
    if (value !== undefined) item[name] = value;
  });
  return item;
};

const keyOf = (table: KeySchemaTable, from: Item, kind: Statement['kind']): Item => {
  const key: Record<string, AttributeValue> = {};
  for (const { AttributeName } of table.KeySchema) {
    const value = from[AttributeName];
    if (value !== undefined) key[AttributeName] = value;
  }
  if (kind !== 'insert' && Object.keys(key).length < table.KeySchema.length) {
    const message = 'Where clause does not contain a mandatory equality on all key attributes';
    throw new ServiceError('ValidationException', message);
  }
  const complaint = kind === 'insert' ? db.validateItem(from, table) : db.validateKey(key, table);
  if (complaint) throw new ServiceError('ValidationException', complaint.message);
  return key;
};

const refuseKeyUpdate = (statement: Statement, table: KeySchemaTable, set: Item): void => {
  if (statement.kind !== 'update') return;
  const part = table.KeySchema.find(({ AttributeName }) => AttributeName in set);
  if (part) {
    const message = `One or more parameter values were invalid: Cannot update attribute ${part.AttributeName}. This attribute is part of the key`;
    throw new ServiceError('ValidationException', message);
  }
};
