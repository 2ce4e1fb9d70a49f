/** Transaction: makes conditional writes all together or not at all, with DynamoDB's `ExecuteTransaction`. */
import * as v from 'valibot';
import type { Ids } from '../runtime/ids.ts';
import type { Pause } from '../runtime/pause.ts';
import { done, retryOnConflict, type Attempted } from '../runtime/retry.ts';
import { refuseTwoOnOneKey, refusals, retryable, statementOf } from './conditional-batch.ts';
import type { DynamoDb } from './dynamo-calls.ts';
import type { Key } from './keys.ts';
import {
  countUnits,
  sendPaced,
  ThrottledCall,
  wasSentBefore,
  uncontrolled,
  type TableRates,
} from './rate-control.ts';
import type { StoredItem, Write } from './table.ts';

interface TransactionDeps {
  readonly client: DynamoDb;
  readonly tableName: string;
  readonly ids: Ids;
  readonly pause: Pause;
  readonly rates?: TableRates;
  getMany(keys: readonly Key[]): Promise<readonly (StoredItem | undefined)[]>;
}

/** DynamoDB's limit for one transaction. */
export const WRITES_PER_TRANSACTION = 100;

/** A write of a transaction, with its place and the nonce that it stores. */
interface Placed {
  readonly index: number;
  readonly write: Write;
  readonly nonce: string;
}

/** What a transaction knows about itself from one attempt to the next. */
interface Progress {
  /** The writes that are still to be made: without deletes of missing items. */
  left: readonly Placed[];
  /** Under one token DynamoDB makes a transaction once, for ten minutes. */
  token: string;
  /** Whether an attempt may have been carried out without an answer. */
  maybe: boolean;
}

const cancellation = v.looseObject({
  name: v.literal('TransactionCanceledException'),
  CancellationReasons: v.array(v.looseObject({ Code: v.optional(v.string()) })),
});

/**
 * Makes the writes, or none of them, and returns the places of the refused writes. A transaction that another one meets on
 * an item, or that the table throttles, is sent again while the deadline of the work lasts. A refusal after a possibly lost
 * answer is settled by the nonces of the stored items: one of ours there means that all writes were made. Throws when a
 * statement fails for another reason, and `UnavailableError` when the deadline passes.
 */
export const transaction = async (
  deps: TransactionDeps,
  writes: readonly Write[],
): Promise<readonly number[]> => {
  const { ids, pause, rates = uncontrolled } = deps;
  if (writes.length > WRITES_PER_TRANSACTION) throw new Error('table: too many writes for a transaction');
  refuseTwoOnOneKey(writes);
  const left = writes.map((write, index) => ({ index, write, nonce: ids.nonce() }));
  const progress: Progress = { left, token: ids.uuid(), maybe: false };
  const retry = { pause, what: 'table: a transaction', patience: rates.write.patience };
  return retryOnConflict(retry, () => attempt(deps, progress));
};

const attempt = async (deps: TransactionDeps, progress: Progress): Promise<Attempted<readonly number[]>> => {
  const { left, token } = progress;
  if (left.length === 0) return done([]);
  const { client, tableName, rates = uncontrolled } = deps;
  const TransactStatements = left.map((one) => statementOf(tableName, one));
  const input = { ...countUnits, TransactStatements, ClientRequestToken: token };
  const send = () => client.call('ExecuteTransaction', input);
  try {
    const answer = await sendPaced({ control: rates.write, items: 2 * left.length, send });
    if (!(answer instanceof ThrottledCall)) return done([]);
    progress.maybe ||= answer.mayBeDone;
    return 'conflict';
  } catch (error) {
    const cancelled = v.safeParse(cancellation, error);
    if (!cancelled.success) throw error;
    progress.maybe ||= wasSentBefore(error);
    const reasons = cancelled.output.CancellationReasons;
    const coded = left.map((one, place) => ({ ...one, code: reasons[place]?.Code ?? 'None' }));
    const refused = coded.filter((one) => refusals.has(one.code) || isDoubtfulInsert(one));
    if (refused.length > 0) return settle(deps, progress, refused, error);
    if (coded.some(({ code }) => retryable.has(code))) return 'conflict';
    throw error;
  }
};

/** A write that DynamoDB refused, and the code with which it did. */
interface Refused extends Placed {
  readonly code: string;
}

/** DynamoDB says `DuplicateItem` of an insert under a taken key; AWS's DynamoDB Local says that the insert is invalid. */
const isDoubtfulInsert = ({ write, code }: Refused): boolean =>
  write.kind === 'insert' && code === 'ValidationError';

const isDelete = ({ write }: Placed): boolean => write.kind === 'delete';

/**
 * Decides a refused transaction. AWS's document says that a delete of a missing item succeeds; its DynamoDB Local refuses
 * it. So the stored items decide about deletes, too. Throws `error` when an insert was refused under a free key.
 */
const settle = async (
  deps: TransactionDeps,
  progress: Progress,
  refused: readonly Refused[],
  error: unknown,
): Promise<Attempted<readonly number[]>> => {
  const doubtful = refused.filter((one) => isDelete(one) || isDoubtfulInsert(one));
  const looked = progress.maybe ? progress.left : doubtful;
  const items = looked.length === 0 ? [] : await deps.getMany(looked.map(({ write }) => write.key));
  const isOurs = (one: Placed, at: number): boolean => !isDelete(one) && items[at]?.w === one.nonce;
  if (looked.some(isOurs)) return done([]);
  const missing = new Set(looked.flatMap(({ index }, at) => (items[at] ? [] : [index])));
  if (refused.some((one) => isDoubtfulInsert(one) && missing.has(one.index))) throw error;
  const isGone = (one: Placed): boolean => isDelete(one) && missing.has(one.index);
  const others = refused.filter((one) => !isGone(one));
  if (others.length > 0) return done(others.map(({ index }) => index));
  progress.left = progress.left.filter((one) => !isGone(one));
  progress.token = deps.ids.uuid();
  return 'conflict';
};
