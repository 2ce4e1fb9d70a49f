/** Event source mapping: polls a queue and invokes its function with batches of messages. */
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { REGION } from '../../core/arn.ts';
import type { DirectQueue, ReceivedMessage } from '../sqs/sqs.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { Outcome } from './outcome.ts';

/** Options of a mapping. */
export interface MappingOptions {
  readonly queue: DirectQueue;
  readonly functionName: string;
  readonly batchSize: number;
  readonly windowMs: number;
  /** Concurrent batches. */
  readonly concurrency: number;
  /** Whether the function reports the failed messages of a batch. Otherwise a batch fails or succeeds as a whole. */
  readonly reportsFailures: boolean;
  readonly invoke: (event: string) => Promise<Outcome>;
  /** Throws AccessDenied when the role of the function lacks an action on the queue. */
  readonly authorize: (action: string) => void;
}

/** A running mapping. */
export interface Mapping {
  /** Batches in progress. */
  busy(): number;
  /** Stops polling. Unfinished messages become visible again after their visibility timeout. */
  stop(): Promise<void>;
}

/** Long enough to cost nothing while the queue is empty, and short enough to stop soon. */
const POLL_MS = 2_000;

/** After an access denial the mapping tries again, as in AWS. */
const DENIED_PAUSE_MS = 1_000;

/** Failed messages return after 1, 2, 4, … seconds, up to this maximum. */
const MOST_RELEASE_SECONDS = 8;

/** SQS returns at most ten messages per call. */
const MOST_PER_RECEIVE = 10;

/** Polls a queue for a function, with one poller per concurrent batch. */
export const startMapping = (options: MappingOptions): Mapping => {
  const stopping = new AbortController();
  let busy = 0;
  const poll = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const messages = await receive(options, stopping.signal);
      if (messages.length === 0) continue;
      busy += 1;
      try {
        await work(options, messages);
      } finally {
        busy -= 1;
      }
    }
  };
  const pollers = Array.from({ length: options.concurrency }, () => poll());
  return {
    busy: () => busy,
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(pollers);
    },
  };
};

const receive = async (options: MappingOptions, signal: AbortSignal): Promise<readonly ReceivedMessage[]> => {
  try {
    options.authorize('sqs:ReceiveMessage');
    options.authorize('sqs:GetQueueAttributes');
    return await fill(options, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await delay(DENIED_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    return [];
  }
};

/** Receives a first message, then more messages until the batch is full or its window ends. */
const fill = async (options: MappingOptions, signal: AbortSignal): Promise<readonly ReceivedMessage[]> => {
  const { queue, batchSize, windowMs } = options;
  const take = (wanted: number, waitMs: number): Promise<readonly ReceivedMessage[]> =>
    queue.receive(Math.min(wanted, MOST_PER_RECEIVE), waitMs, signal);
  const batch = [...(await take(batchSize, POLL_MS))];
  const end = Date.now() + windowMs;
  while (batch.length > 0 && batch.length < batchSize && !signal.aborted) {
    const more = await take(batchSize - batch.length, Math.max(0, end - Date.now()));
    if (more.length === 0) break;
    batch.push(...more);
  }
  return batch;
};

const work = async (options: MappingOptions, messages: readonly ReceivedMessage[]): Promise<void> => {
  const event = JSON.stringify({ Records: messages.map((message) => recordOf(message, options.queue.arn)) });
  const outcome = await options.invoke(event).catch((): undefined => undefined);
  const failed = failedOf(options, outcome, messages);
  try {
    options.authorize('sqs:DeleteMessage');
  } catch (error) {
    if (error instanceof ServiceError) return;
    throw error;
  }
  for (const message of messages) {
    if (failed.has(message.messageId)) release(options.queue, message);
    else options.queue.delete(message.receiptHandle);
  }
};

/**
 * Makes a failed message visible soon. The real mapping waits for the visibility timeout, which is half an hour for slow
 * functions. A developer would wait too long.
 */
const release = (queue: DirectQueue, { receiptHandle, attributes }: ReceivedMessage): void => {
  const receives = Number(attributes['ApproximateReceiveCount'] ?? 1);
  try {
    queue.changeVisibility(receiptHandle, Math.min(2 ** (receives - 1), MOST_RELEASE_SECONDS));
  } catch (error) {
    // Another consumer has already deleted this duplicate.
    if (!(error instanceof ServiceError)) throw error;
  }
};

/** The record of a message in Lambda's SQS event. */
const recordOf = (message: ReceivedMessage, queueArn: string): object => ({
  messageId: message.messageId,
  receiptHandle: message.receiptHandle,
  body: message.body,
  attributes: message.attributes,
  messageAttributes: Object.fromEntries(
    Object.entries(message.messageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      { stringValue: StringValue, binaryValue: BinaryValue, dataType: DataType },
    ]),
  ),
  md5OfBody: message.md5OfBody,
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: REGION,
});

const Failures = v.object({
  batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.string() })), []),
});

/**
 * Ids of the messages to deliver again. A malformed response, or a response with an unknown id, fails the whole batch.
 */
const failedOf = (
  { reportsFailures }: MappingOptions,
  outcome: Outcome | undefined,
  messages: readonly ReceivedMessage[],
): ReadonlySet<string> => {
  const all = new Set(messages.map(({ messageId }) => messageId));
  if (!outcome?.ok) return all;
  if (!reportsFailures) return new Set();
  const answer: unknown = JSON.parse(outcome.payload);
  if (answer === null || answer === '') return new Set();
  const parsed = v.safeParse(Failures, answer);
  if (!parsed.success) return all;
  const failed = parsed.output.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => all.has(id)) ? new Set(failed) : all;
};
