/** Conditional batch: sends conditional writes (compare and set) to DynamoDB, and settles lost answers by write nonces. */
import type { BatchStatementRequest, BatchStatementResponse } from '@aws-sdk/client-dynamodb';
import type { Ids } from '../runtime/ids.ts';
import type { Pause } from '../runtime/pause.ts';
import { batchesOf, mapLimited } from '../runtime/pool.ts';
import { retryRemaining } from '../runtime/retry.ts';
import { toAttributeValue } from './attribute-values.ts';
import type { DynamoDb } from './dynamo-calls.ts';
import type { Key } from './keys.ts';
import { countUnits, sendPaced, ThrottledCall, uncontrolled, type TableRates } from './rate-control.ts';
import type { StoredItem, Write, WriteOutcome } from './table.ts';

interface BatchDeps {
  readonly client: DynamoDb;
  readonly tableName: string;
  readonly ids: Ids;
  readonly pause: Pause;
  readonly rates?: TableRates;
  readonly parallel: number;
  getMany(keys: readonly Key[]): Promise<readonly (StoredItem | undefined)[]>;
}

/** A statement under way. `maybe` is set once an earlier attempt may have been applied without an answer. */
interface Pending {
  readonly index: number;
  readonly write: Write;
  readonly nonce: string;
  maybe: boolean;
}

/** DynamoDB's limit for one BatchExecuteStatement. */
const STATEMENTS_PER_BATCH = 25;

/** Codes of statements whose item is not as the statement expects it. */
export const refusals: ReadonlySet<string> = new Set(['DuplicateItem', 'ConditionalCheckFailed']);

/** Codes of statements that the table did not carry out because of its load. */
const throttles = new Set([
  'ThrottlingError',
  'ThrottlingException',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);
/** Codes of statements to send again: they say nothing about the items. */
export const retryable: ReadonlySet<string> = new Set([
  ...throttles,
  'InternalServerError',
  'TransactionConflict',
]);

/**
 * Sends conditional writes as PartiQL batches: 25 per request, each statement with its own outcome. Throttled
 * statements and requests are sent again while the deadline of the work lasts. A refusal after a possibly lost
 * answer, and that of a delete, is settled by reading the item back. Throws when a statement fails for another
 * reason, and `UnavailableError` when the deadline passes.
 */
export const conditionalBatch = async (
  deps: BatchDeps,
  writes: readonly Write[],
): Promise<readonly WriteOutcome[]> => {
  refuseTwoOnOneKey(writes);
  const outcomes = writes.map((): WriteOutcome => 'refused');
  const pending = writes.map((write, index): Pending => ({
    index,
    write,
    nonce: deps.ids.nonce(),
    maybe: false,
  }));
  const { patience } = (deps.rates ?? uncontrolled).write;
  const retry = { pause: deps.pause, what: 'table: throttled writes', patience };
  await retryRemaining(retry, pending, (left) => sendRound(deps, left, outcomes));
  return outcomes;
};

/** Throws for two writes on one key, an error of the caller. */
export const refuseTwoOnOneKey = (writes: readonly Write[]): void => {
  if (new Set(writes.map(({ key }) => `${key.pk}\n${key.sk}`)).size < writes.length)
    throw new Error('table: two writes on one key');
};

/** Sends all pending statements once, stores their outcomes and returns the statements to send again. */
const sendRound = async (
  deps: BatchDeps,
  pending: readonly Pending[],
  outcomes: WriteOutcome[],
): Promise<Pending[]> => {
  const again: Pending[] = [];
  const doubtful: Pending[] = [];
  await mapLimited([...batchesOf(pending, STATEMENTS_PER_BATCH)], deps.parallel, async (batch) => {
    const responses = await send(deps, batch);
    if (responses === 'throttled') {
      again.push(...batch);
      return;
    }
    batch.forEach((one, position) => {
      const verdict = judge(responses[position], one);
      if (verdict === 'again') again.push(one);
      else if (verdict === 'doubtful') doubtful.push(one);
      else outcomes[one.index] = verdict;
    });
  });
  await settle(deps, doubtful, outcomes);
  return again;
};

const send = async (
  { client, tableName, rates = uncontrolled }: BatchDeps,
  batch: readonly Pending[],
): Promise<readonly BatchStatementResponse[] | 'throttled'> => {
  const Statements = batch.map((one) => statementOf(tableName, one));
  const answer = await sendPaced({
    control: rates.write,
    items: batch.length,
    send: () => client.call('BatchExecuteStatement', { ...countUnits, Statements }),
    throttledOf: ({ Responses = [] }) => Responses.filter(isThrottled).length,
  });
  // More than one attempt means that an earlier one may have been applied and its answer lost.
  const mayBeDone = answer instanceof ThrottledCall ? answer.mayBeDone : answer.$metadata.attempts > 1;
  if (mayBeDone) for (const one of batch) one.maybe = true;
  return answer instanceof ThrottledCall ? 'throttled' : (answer.Responses ?? []);
};

const isThrottled = ({ Error: error }: BatchStatementResponse): boolean => throttles.has(error?.Code ?? '');

const judge = (
  response: BatchStatementResponse | undefined,
  one: Pending,
): WriteOutcome | 'again' | 'doubtful' => {
  const code = response?.Error?.Code;
  const isDelete = one.write.kind === 'delete';
  if (code === undefined) return isDelete ? 'gone' : 'applied';
  // AWS's document says that a delete of a missing item succeeds; its DynamoDB Local refuses it. Reading decides.
  if (refusals.has(code)) return one.maybe || isDelete ? 'doubtful' : 'refused';
  if (!retryable.has(code))
    throw new Error(`table: ${one.write.kind} failed with ${code}: ${response?.Error?.Message}`);
  if (code === 'InternalServerError') one.maybe = true;
  return 'again';
};

/**
 * Decides a refused write by the stored item. An earlier attempt of an insert or update was applied if its nonce is
 * stored; a delete has succeeded if no item is there.
 */
const settle = async (
  deps: BatchDeps,
  doubtful: readonly Pending[],
  outcomes: WriteOutcome[],
): Promise<void> => {
  if (doubtful.length === 0) return;
  const items = await deps.getMany(doubtful.map(({ write }) => write.key));
  doubtful.forEach((one, position) => {
    const stored = items[position];
    if (one.write.kind === 'delete') outcomes[one.index] = stored ? 'refused' : 'gone';
    else outcomes[one.index] = stored?.w === one.nonce ? 'applied' : 'refused';
  });
};

/** The statement of a write. An insert or update stores the nonce. */
export const statementOf = (
  tableName: string,
  { write, nonce }: Pick<Pending, 'write' | 'nonce'>,
): BatchStatementRequest => {
  const { pk, sk } = write.key;
  if (write.kind === 'insert') {
    const fields = Object.entries({ pk, sk, ...write.set, w: nonce });
    const shape = fields.map(([name]) => `'${name}':?`).join(', ');
    return {
      Statement: `INSERT INTO "${tableName}" VALUE {${shape}}`,
      Parameters: fields.map(([, value]) => toAttributeValue(value)),
    };
  }
  const expected = Object.entries(write.expect);
  const where = ['pk=?', 'sk=?', ...expected.map(([name]) => `"${name}"=?`)].join(' AND ');
  const bound = [pk, sk, ...expected.map(([, value]) => value)].map(toAttributeValue);
  if (write.kind === 'delete')
    return { Statement: `DELETE FROM "${tableName}" WHERE ${where}`, Parameters: bound };
  const sets = Object.entries({ ...write.set, w: nonce });
  return {
    Statement: `UPDATE "${tableName}" ${sets.map(([name]) => `SET "${name}"=?`).join(' ')} WHERE ${where}`,
    Parameters: [...sets.map(([, value]) => toAttributeValue(value)), ...bound],
  };
};
