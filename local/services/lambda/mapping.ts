/** Event source mapping: polls a queue and invokes its function with batches of messages. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DirectQueue, ReceivedMessage } from '../sqs/sqs.ts';
import { ServiceError } from '../../core/service-error.ts';
import { isThrottle } from './concurrency.ts';
import type { Outcome } from './outcome.ts';
import { createPollers, type Width } from './pollers.ts';
import { failedOf, sqsEventOf } from './sqs-event.ts';

/** Options of a mapping. */
export interface MappingOptions {
  readonly queue: DirectQueue;
  readonly functionName: string;
  readonly batchSize: number;
  readonly windowMs: number;
  /** Concurrent batches. */
  readonly width: Width;
  /** Whether the function reports the failed messages of a batch. Otherwise a batch fails or succeeds as a whole. */
  readonly reportsFailures: boolean;
  /** Whether failed messages stay invisible for the visibility timeout. Otherwise they return within seconds. */
  readonly realVisibility: boolean;
  /** Milliseconds until a failed message returns for the first time without real visibility. The default is a second. */
  readonly firstReturnMs?: number | undefined;
  /** Invokes the function. Rejects with Lambda's throttle when no concurrency is left. */
  readonly invoke: (event: string) => Promise<Outcome>;
  /** Throws AccessDenied when the role of the function lacks an action on the queue. */
  readonly authorize: (action: string) => void;
  /** Waits before a throttled batch is tried again. The default waits on the clock of the machine. */
  readonly pause?: Pause;
}

/** Waits for milliseconds, or until the signal aborts. */
type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** Long enough to cost nothing while the queue is empty, and short enough to stop soon. */
const POLL_MS = 2_000;

/** After an access denial the mapping tries again, as in AWS. */
const DENIED_PAUSE_MS = 1_000;

/** Without real visibility, failed messages return after 1, 2, 4, … times this, up to the given multiple. */
const FIRST_RETURN_MS = 1_000;
const MOST_RETURN = 8;

/**
 * A throttled batch is retried after 1, 2, 4, … seconds, up to this maximum. AWS documents that Lambda "gradually backs
 * off retries", without figures.
 */
const MOST_THROTTLE_PAUSE_MS = 10_000;

/** SQS returns at most ten messages per call. */
const MOST_PER_RECEIVE = 10;

/** The time between two adjustments of the number of concurrent batches. */
const ADJUST_EVERY_MS = 1_000;

/** Polls a queue for a function, with one poller per concurrent batch. */
export const startMapping = (options: MappingOptions) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pollers = createPollers(options.width, signal, async (working) => {
    const messages = await receive(options, signal);
    if (messages.length > 0) await working(() => work(options, messages, { signal, backOff }));
  });
  const backOff = (): void => pollers.backOff();
  const timer = setInterval(() => pollers.adjust(), ADJUST_EVERY_MS).unref();
  return {
    /** Batches in progress. */
    busy: (): number => pollers.busy(),
    /** Stops polling. Unfinished messages become visible again after their visibility timeout. */
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await pollers.ended();
    },
  };
};

/** A running mapping. */
export type Mapping = ReturnType<typeof startMapping>;

const pauseOnClock: Pause = (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined);

const receive = async (options: MappingOptions, signal: AbortSignal): Promise<readonly ReceivedMessage[]> => {
  try {
    options.authorize('sqs:ReceiveMessage');
    options.authorize('sqs:GetQueueAttributes');
    return await fill(options, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await pauseOnClock(DENIED_PAUSE_MS, signal);
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

/** What the work on a batch needs of its mapping: the end of the mapping, and the way to fewer concurrent batches. */
interface Scaling {
  readonly signal: AbortSignal;
  readonly backOff: () => void;
}

const work = async (
  options: MappingOptions,
  messages: readonly ReceivedMessage[],
  scaling: Scaling,
): Promise<void> => {
  const { queue, reportsFailures, realVisibility, firstReturnMs = FIRST_RETURN_MS } = options;
  const outcome = await invoke(options, messages, scaling);
  if (outcome === 'dropped') return;
  // Lambda Developer Guide, "Implementing partial batch responses": with these, errors do not reduce the polling.
  if (!reportsFailures && outcome?.ok !== true) scaling.backOff();
  const failed = failedOf(outcome, messages, reportsFailures);
  const mayDelete = permits(options, 'sqs:DeleteMessage');
  for (const { messageId, receiptHandle, attributes } of messages) {
    if (!failed.has(messageId)) {
      if (mayDelete) unlessGone(() => queue.delete(receiptHandle));
    } else if (!realVisibility) {
      const receives = Number(attributes['ApproximateReceiveCount'] ?? 1);
      unlessGone(() => queue.showWithin(receiptHandle, returnSeconds(receives, firstReturnMs)));
    }
  }
};

const permits = ({ authorize }: MappingOptions, action: string): boolean => {
  try {
    authorize(action);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
};

/** Changes a message, unless the queue has given it to another consumer in the meantime. */
const unlessGone = (change: () => void): void => {
  try {
    change();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
};

/**
 * Seconds until a failed message returns without real visibility. The real mapping waits for the visibility timeout,
 * which is half an hour for slow functions. A developer would wait too long.
 */
const returnSeconds = (receives: number, firstMs: number): number =>
  (Math.min(2 ** (receives - 1), MOST_RETURN) * firstMs) / 1_000;

/**
 * Invokes the function with a batch, again after each throttle. Lambda "continues to retry the message until the
 * message's timestamp exceeds your queue's visibility timeout, at which point Lambda drops the message" (Lambda
 * Developer Guide, "Backoff strategy for failed invocations").
 */
const invoke = async (
  { queue, invoke: invokeOnce, pause = pauseOnClock }: MappingOptions,
  messages: readonly ReceivedMessage[],
  { signal, backOff }: Scaling,
): Promise<Outcome | undefined | 'dropped'> => {
  const event = sqsEventOf(messages, queue.arn);
  const areOurs = (): boolean => messages.every(({ receiptHandle }) => queue.isInFlight(receiptHandle));
  for (let pauseMs = 1_000; ; pauseMs = Math.min(2 * pauseMs, MOST_THROTTLE_PAUSE_MS)) {
    try {
      return await invokeOnce(event);
    } catch (error) {
      if (!isThrottle(error)) return undefined;
    }
    backOff();
    await pause(pauseMs, signal);
    if (signal.aborted || !areOurs()) return 'dropped';
  }
};
