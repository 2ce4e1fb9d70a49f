/**
 * Queue handler: processes the messages of an SQS batch one by one and reports the failed ones, so that SQS delivers
 * only those again.
 */
import * as v from 'valibot';
import type { Env, EnvName } from '../runtime/env.ts';
import { withinInvocation, type LambdaContext } from '../runtime/invocation.ts';
import { timeLeft } from '../runtime/time-budget.ts';
import { errorFacts, type Log } from '../runtime/log.ts';
import { systemRuntime } from './http-handler.ts';
import { buildOnce } from './build-once.ts';

/** The delivery of a message, besides its content. */
export interface Delivery {
  readonly messageId: string;
  /** How often SQS has delivered the message: 1 at the first delivery. */
  readonly receiveCount: number;
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

const sqsEvent = v.object({
  Records: v.array(
    v.object({
      messageId: v.string(),
      body: v.string(),
      attributes: v.optional(v.looseObject({ ApproximateReceiveCount: v.optional(v.string(), '1') }), {}),
    }),
  ),
});
type SqsRecord = v.InferOutput<typeof sqsEvent>['Records'][number];

/**
 * No message after the first is begun with less time left, because Lambda would cut it off halfway. It goes back to the
 * queue.
 */
const LAST_MILLISECONDS = 5_000;

/**
 * The Lambda handler of a queue. Messages run in order. `schema` parses the JSON of a body, including its schema
 * version; a message of another shape goes back to the queue, and so to the dead-letter queue: it is never dropped.
 * `deps` builds the ports once. Annotate its parameter as `EnvOf<typeof entries.…>`, and import the entries as a type:
 * a real import would add the schemas of the area to the bundle (up to 23 KB).
 */
export const queueHandler = <Message, Deps, Name extends EnvName>(
  schema: v.GenericSchema<unknown, Message>,
  useCase: MessageUseCase<Deps, NoInfer<Message>>,
  deps: (env: Env<Name>) => Deps,
  { log }: { readonly log: Log } = systemRuntime,
): QueueHandler => {
  const portsOf = buildOnce(deps);
  return withinInvocation(async (event, context) => {
    const { Records } = v.parse(sqsEvent, event);
    const remaining = timeLeft(context);
    const ports = portsOf();
    const failed: string[] = [];
    for (const [position, record] of Records.entries()) {
      const hasTime = position === 0 || remaining() > LAST_MILLISECONDS;
      const run = (message: Message, receiveCount: number): Promise<void> =>
        useCase(ports, message, { messageId: record.messageId, receiveCount, remaining });
      if (!hasTime || !(await process(schema, record, run, log))) failed.push(record.messageId);
    }
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  });
};

/** Processes one message and returns whether it is done. */
const process = async <Message>(
  schema: v.GenericSchema<unknown, Message>,
  record: SqsRecord,
  run: (message: Message, receiveCount: number) => Promise<void>,
  log: Log,
): Promise<boolean> => {
  const about = { message_id: record.messageId };
  const message = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), record.body);
  if (!message.success) {
    log('message.unknown', about);
    return false;
  }
  const receiveCount = Number(record.attributes.ApproximateReceiveCount);
  try {
    await run(message.output, receiveCount);
    return true;
  } catch (error) {
    log('message.failed', { ...about, count: receiveCount, error: errorFacts(error) });
    return false;
  }
};
