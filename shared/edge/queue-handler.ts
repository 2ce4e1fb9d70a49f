/**
 * Queue handler: processes the messages of an SQS batch one by one. SQS delivers the failed ones again, after a time that
 * the handler chooses, and the handler decides whether a failure counts towards the dead letters.
 */
import * as v from 'valibot';
import {
  withDeadline,
  endOf,
  LAST_MILLISECONDS,
  withinInvocation,
  type LambdaContext,
} from '../runtime/deadline.ts';
import type { Env, EnvName } from '../runtime/env.ts';
import { errorFacts } from '../runtime/log.ts';
import type { Redelivery } from '../runtime/ports.ts';
import { FIRST_COPIED, redelivery } from '../runtime/sqs-queue.ts';
import { timeLeft } from '../runtime/time-budget.ts';
import { limits } from '../config/limits.ts';
import { systemRuntime, type HandlerRuntime } from './http-handler.ts';
import { buildOnce } from './build-once.ts';
import { isBusy } from '../runtime/busy.ts';

/** The delivery of a message, besides its content. */
export interface Delivery {
  readonly messageId: string;
  /** How often SQS has delivered the message: 1 at the first delivery. */
  readonly receiveCount: number;
  /** Whether the message goes to the dead letters if its processing ends with this error. */
  readonly isLast: (error: unknown) => boolean;
  /** Milliseconds until Lambda ends the function. */
  readonly remaining: () => number;
}

/** Processes one message. An exception sends the message back to the queue. */
export type MessageUseCase<Deps, Message> = (
  deps: Deps,
  message: Message,
  delivery: Delivery,
) => Promise<void>;

/** The answer of the function to SQS: the messages that come again. */
interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export type QueueHandler = (event: unknown, context?: LambdaContext) => Promise<BatchAnswer>;

/** Variables that hold the URL of a queue. */
type QueueUrlName = Extract<EnvName, `${string}QUEUE_URL`>;

/** Ports of the handler itself. */
export interface QueueRuntime extends Pick<HandlerRuntime, 'clock' | 'log'> {
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** The queue with this URL. */
  readonly redelivery: (url: string) => Redelivery;
}

const systemQueueRuntime: QueueRuntime = { ...systemRuntime, random: Math.random, redelivery };

const attributes = v.looseObject({
  ApproximateReceiveCount: v.optional(v.string(), '1'),
  MessageGroupId: v.optional(v.string()),
});
const ownAttributes = v.looseObject({
  [FIRST_COPIED]: v.optional(v.looseObject({ stringValue: v.string() })),
});
const sqsEvent = v.object({
  Records: v.array(
    v.object({
      messageId: v.string(),
      receiptHandle: v.string(),
      body: v.string(),
      attributes: v.optional(attributes, {}),
      messageAttributes: v.optional(ownAttributes, {}),
    }),
  ),
});
type SqsRecord = v.InferOutput<typeof sqsEvent>['Records'][number];

/**
 * The Lambda handler of a queue. Messages run in order. `schema` parses the JSON of a body, including its schema
 * version; a message of another shape goes back to the queue, and so to the dead-letter queue: it is never dropped.
 * `deps` builds the ports once. Annotate its parameter as `EnvOf<typeof entries.…>`, and import the entries as a type:
 * a real import would add the schemas of the area to the bundle (up to 23 KB). `url` is the variable of the queue itself.
 *
 * A message that is not done comes back after the seconds of `returnSeconds`. A busy service never uses up the
 * receives of a message: from the third receive on, the handler sends a copy and reports the message as done. When it
 * dies between the two, the message is there twice, which every use case must bear anyway. Copies carry the time of
 * the first one: after `limits.queues.busySeconds` a busy service counts as a failure, so every message ends. Throws
 * when all messages failed and a busy service is not the reason, so that the invocation counts as an error.
 */
export const queueHandler = <Message, Deps, Name extends EnvName>(
  schema: v.GenericSchema<unknown, Message>,
  useCase: MessageUseCase<Deps, NoInfer<Message>>,
  deps: (env: Env<Name>) => Deps,
  url: NoInfer<Name> & QueueUrlName,
  runtime: QueueRuntime = systemQueueRuntime,
): QueueHandler => {
  const portsOf = buildOnce((env: Env<EnvName>) => ({
    deps: deps(env),
    queue: runtime.redelivery(env(url)),
  }));
  return withinInvocation(async (event, context) => {
    const { Records } = v.parse(sqsEvent, event);
    const remaining = timeLeft(context);
    const until = endOf(context, runtime.clock) - LAST_MILLISECONDS;
    const ports = portsOf();
    const work = (record: SqsRecord): Promise<NotDone | undefined> =>
      process(schema, record, runtime, (message, delivery) =>
        useCase(ports.deps, message, { ...delivery, remaining }),
      );
    const notDone: { readonly record: SqsRecord; readonly cause: NotDone }[] = [];
    for (const record of Records) {
      const hasTime = remaining() > LAST_MILLISECONDS;
      const cause = hasTime
        ? await withDeadline({ clock: runtime.clock, until }, () => work(record))
        : 'busy';
      if (cause) notDone.push({ record, cause });
    }
    const back: string[] = [];
    for (const { record, cause } of notDone)
      if (!(await isReplaced({ ...runtime, queue: ports.queue }, record, cause))) back.push(record.messageId);
    if (back.length === Records.length && notDone.some(({ cause }) => cause === 'failed'))
      throw new Error('queue: all messages of this invocation failed');
    return { batchItemFailures: back.map((itemIdentifier) => ({ itemIdentifier })) };
  }, runtime.clock);
};

const receivesOf = ({ attributes: { ApproximateReceiveCount } }: SqsRecord): number =>
  Number(ApproximateReceiveCount);

/** When a message was copied first (epoch milliseconds): `now` if it is no copy. */
const firstCopiedOf = ({ messageAttributes }: SqsRecord, now: number): number => {
  const time = messageAttributes[FIRST_COPIED];
  return time === undefined ? now : Number(time.stringValue);
};

/** Processes one message; returns the reason when it is not done. */
const process = async <Message>(
  schema: v.GenericSchema<unknown, Message>,
  record: SqsRecord,
  { log, clock }: Pick<QueueRuntime, 'log' | 'clock'>,
  run: (message: Message, delivery: Omit<Delivery, 'remaining'>) => Promise<void>,
): Promise<NotDone | undefined> => {
  const { messageId } = record;
  const about = { message_id: messageId };
  const message = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), record.body);
  if (!message.success) {
    log('message.unknown', about);
    return 'failed';
  }
  const receiveCount = receivesOf(record);
  const now = clock();
  const seconds = Math.round((now - firstCopiedOf(record, now)) / 1000);
  const isLast = (error: unknown): boolean =>
    receiveCount >= limits.queues.maxReceiveCount && notDoneBy(error, seconds) === 'failed';
  try {
    await run(message.output, { messageId, receiveCount, isLast });
    return undefined;
  } catch (error) {
    const cause = notDoneBy(error, seconds);
    const code = cause === 'busy' ? 'message.postponed' : 'message.failed';
    log(code, { ...about, count: receiveCount, seconds, error: errorFacts(error) });
    return cause;
  }
};

interface Returning extends Pick<QueueRuntime, 'clock' | 'log' | 'random'> {
  readonly queue: Redelivery;
}

/**
 * Returns a message that is not done. `true` when a copy replaces it; otherwise the message itself comes back, at the
 * latest after the visibility timeout of the queue.
 */
const isReplaced = async (
  { queue, clock, log, random }: Returning,
  record: SqsRecord,
  cause: NotDone,
): Promise<boolean> => {
  const receiveCount = receivesOf(record);
  try {
    if (isCopied(cause, receiveCount)) {
      const { MessageGroupId: group } = record.attributes;
      const firstCopied = firstCopiedOf(record, clock());
      await queue.sendCopy({ body: record.body, firstCopied, ...(group === undefined ? {} : { group }) });
      return true;
    }
    const { isOrdered } = queue;
    await queue.giveBack(
      record.receiptHandle,
      returnSeconds({ cause, receiveCount, isOrdered, random: random() }),
    );
  } catch (error) {
    log('message.kept', { message_id: record.messageId, count: receiveCount, error: errorFacts(error) });
  }
  return false;
};

/**
 * Why a message is not done. `busy`: a service is busy (`isBusy`), or no time was left for the message; this passes without
 * anybody's help. `failed`: anything else, which may be a bug.
 */
type NotDone = 'busy' | 'failed';

/**
 * Why a message is not done that ended with this error. A message that was copied for hours (`seconds` since its first copy)
 * waits for nothing that passes by itself, so it counts as failed.
 */
const notDoneBy = (error: unknown, seconds: number): NotDone =>
  isBusy(error) && seconds < limits.queues.busySeconds ? 'busy' : 'failed';

/** The facts that decide when a message comes back. */
interface Return {
  readonly cause: NotDone;
  /** From 1. */
  readonly receiveCount: number;
  /** Whether the queue is ordered: the message blocks its group meanwhile. */
  readonly isOrdered: boolean;
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: number;
}

/**
 * Seconds until a message comes back. Jitter spreads messages that failed together. Pauses after a failure grow, so that
 * the last receive comes late enough for a repair.
 */
const returnSeconds = ({ cause, receiveCount, isOrdered, random }: Return): number => {
  const { unordered, ordered } = limits.queues.returnSeconds;
  const { least, most, longest } = isOrdered ? ordered : unordered;
  if (cause === 'busy') return Math.round(least + random * (most - least));
  const grown = Math.min(longest, least * 4 ** (receiveCount - 1));
  return Math.round(grown * (0.5 + random / 2));
};

/** Whether the handler replaces a message by a copy, which starts with all its receives. Only a busy service never ends one. */
const isCopied = (cause: NotDone, receiveCount: number): boolean =>
  cause === 'busy' && receiveCount >= limits.queues.copyAtReceive;
