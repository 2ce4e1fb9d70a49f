/**
 * DynamoDB of the embedded cloud: dynalite's storage, validation and actions in-process, with the three PartiQL
 * statement shapes (see `partiql.ts`), fast reads by key from the storage, and request units by DynamoDB's pricing
 * rules.
 *
 *     const table = await createDynamoDb({ kindOf, dataDir });
 *     await table.createTable({ name: 'things', partitionKey: { name: 'pk', type: 'S' }, … });
 *     gateway.addService(table.service);
 *     …
 *     await table.close();
 *
 * With `dataDir` the items are in LevelDB files and survive a restart; `createTable` then changes nothing for an
 * existing table. Without it everything is in memory. `call` runs an operation without HTTP, for benches and tools, and
 * throws `ServiceError` where the real service refuses.
 *
 * Tables with point-in-time recovery keep the history of their items: 35 days, and 256 MB of earlier items, of which the
 * oldest go first. A table without it pays nothing.
 *
 * Not supported, because nothing here needs it: transactions of other statements, streams, other backups, any other PartiQL.
 */
import * as v from 'valibot';
import type { AwsRequest, AwsResponse, AwsService, Usage } from '../../core/types.ts';
import { jsonBody, jsonError, targetOperation, textResponse } from '../../core/json-protocol.ts';
import { ServiceError } from '../../core/service-error.ts';
import { addUsage, oneCall } from '../../core/usage.ts';
import { capacityOf } from './capacity.ts';
import { controlPlane, type ControlPlane } from './control-plane.ts';
import { openEngine, type Engine } from './engine.ts';
import { expireItems } from './expiry.ts';
import { answerBody } from './item-texts.ts';
import { MeteredRefusal } from './metered-refusal.ts';
import { isStoredOperation } from './operations.ts';
import { parseBatch, parseTransaction, StatementInput, type StatementOutcome } from './partiql-bind.ts';
import { executeBatch } from './partiql.ts';
import { permissionsOf } from './permissions.ts';
import { readPagesHere } from './query-pages.ts';
import { batchGetItem, getItem, type Answer, type KindOfItem } from './reads.ts';
import { addTable, takeUpTables } from './tables.ts';
import { createThroughput, type SecondOfLoad, type ThroughputOptions } from './throughput.ts';
import { executeTransaction } from './transactions.ts';
import type { TableDefinition } from './types.ts';
import { keyText } from './values.ts';
import { runBatchWrite, runStored } from './writes.ts';

export type { TableDefinition } from './types.ts';

/** Names the kind of an item for the meter, from the text of its key attributes. */
type KindOf = (pk: string, sk: string) => string;

/** Options of the service. */
export interface DynamoDbOptions {
  readonly dataDir?: string | undefined;
  readonly kindOf?: KindOf | undefined;
  /** Limits of the throughput. Without them, the tables never throttle. */
  readonly throughput?: ThroughputOptions | undefined;
  /** Milliseconds since the epoch, for the histories of tables. The default is the clock of the machine. */
  readonly now?: () => number;
  /** The most bytes of the history of a table. The default is 256 MB. */
  readonly historyBytes?: number;
}

/** The running service. */
export interface DynamoDb {
  readonly service: AwsService;
  createTable(definition: TableDefinition): Promise<void>;
  call(operation: string, input: unknown): Promise<Answer>;
  /** The load of a table by seconds. Empty without limits of the throughput. */
  loads(table: string): readonly SecondOfLoad[];
  /** Deletes the items that have expired at a time (milliseconds since the epoch). */
  expire(now: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the storage and returns the service. */
export const createDynamoDb = async (options: DynamoDbOptions = {}): Promise<DynamoDb> => {
  const throughput = options.throughput && createThroughput(options.throughput);
  const { dataDir, now, historyBytes } = options;
  readPagesHere();
  const engine = await openEngine({ dataDir, throughput, now, historyBytes });
  await takeUpTables(engine);
  const parts: Parts = {
    engine,
    kindOf: options.kindOf ?? (() => 'item'),
    control: controlPlane(engine),
  };
  const call = (operation: string, input: unknown) => run(parts, operation, input);
  return {
    service: {
      name: 'dynamodb',
      permissions: permissionsOf,
      handle: (request) => handle(request, call),
    },
    createTable: (definition) => addTable(engine, definition),
    call,
    loads: (table) => engine.throughput.loads(table),
    expire: (time) => expireItems(engine, time),
    close: () => engine.close(),
  };
};

const handle = async (request: AwsRequest, call: DynamoDb['call']): Promise<AwsResponse> => {
  const operation = targetOperation(request);
  try {
    const answer = await call(operation, jsonBody(request));
    return textResponse(answerBody(answer.body), [requestLine(operation), ...merged(answer.usage)]);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const spent = error instanceof MeteredRefusal ? merged(error.usage) : [];
    return { ...jsonError(error), usage: [requestLine(operation), ...spent] };
  }
};

/** The meter counts HTTP calls separately from the items in them. */
const requestLine = (operation: string): Usage => ({
  action: `dynamodb:${operation}`,
  kind: 'request',
  ...oneCall,
});

/** The items of a batch usually have the same kind. The meter gets one entry for the batch instead of 25. */
const merged = (usage: readonly Usage[]): Usage[] => {
  const lines = new Map<string, Usage>();
  for (const one of usage) {
    const name = `${one.action} ${one.kind}`;
    const line = lines.get(name);
    if (!line) lines.set(name, { ...one });
    else addUsage(line, one);
  }
  return [...lines.values()];
};

interface Parts {
  readonly engine: Engine;
  readonly kindOf: KindOf;
  readonly control: ControlPlane;
}

const run = async (
  { engine, kindOf, control }: Parts,
  operation: string,
  input: unknown,
): Promise<Answer> => {
  const kindOfItem: KindOfItem = (table, key) => {
    const [pk, sk] = table.KeySchema.map(({ AttributeName }) => keyText(key[AttributeName]));
    return kindOf(pk ?? '', sk ?? '');
  };
  switch (operation) {
    case 'BatchExecuteStatement': {
      const { Statements } = accepted(parseBatch(input));
      const { outcomes, usage, consumed } = await executeBatch(engine, Statements, kindOf);
      return { body: { Responses: outcomes, ...capacityOf(input, consumed) }, usage };
    }
    case 'ExecuteTransaction':
      return runTransaction(engine, input, kindOf);
    case 'ExecuteStatement':
      return executeOne(engine, input, kindOf);
    case 'GetItem':
      return getItem(engine, input, kindOfItem);
    case 'BatchGetItem':
      return batchGetItem(engine, input, kindOfItem);
    case 'BatchWriteItem':
      return runBatchWrite(engine, input, kindOfItem);
    default:
      if (control.answers(operation)) return control.call(operation, input);
      if (!isStoredOperation(operation)) throw new ServiceError('UnknownOperationException', operation);
      return runStored(engine, operation, input, kindOfItem);
  }
};

const executeOne = async (engine: Engine, input: unknown, kindOf: KindOf): Promise<Answer> => {
  const statement = accepted(v.safeParse(StatementInput, input));
  const { outcomes, usage, consumed } = await executeBatch(engine, [statement], kindOf);
  const [outcome] = outcomes;
  const [capacity] = consumed;
  if (!outcome?.Error)
    return { body: { Items: [], ...(capacity ? capacityOf(input, capacity) : {}) }, usage };
  throw new MeteredRefusal(exceptionOf(engine, outcome.TableName ?? '', outcome.Error), usage);
};

const runTransaction = async (engine: Engine, input: unknown, kindOf: KindOf): Promise<Answer> => {
  const { usage, consumed } = await executeTransaction(engine, accepted(parseTransaction(input)), kindOf);
  return { body: { Responses: [], ...capacityOf(input, consumed) }, usage };
};

/** A single statement fails with an exception, where a batch returns a code. */
const exceptionOf = (
  { throughput }: Engine,
  table: string,
  { Code, Message, Item }: NonNullable<StatementOutcome['Error']>,
): ServiceError => {
  if (Code === 'ThrottlingError') return throughput.throttled('write', table);
  const code = Code === 'ValidationError' ? 'ValidationException' : `${Code}Exception`;
  return new ServiceError(code, Message, 400, Item ? { Item } : {});
};

const accepted = <T extends v.GenericSchema>(result: v.SafeParseResult<T>): v.InferOutput<T> => {
  if (!result.success) throw new ServiceError('SerializationException', v.summarize(result.issues));
  return result.output;
};
