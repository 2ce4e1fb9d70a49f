import * as v from 'valibot';
import { errorFacts, type Log } from '../runtime/log.ts';
import { withinInvocation, type LambdaContext } from '../runtime/invocation.ts';
import { systemSurroundings } from './lambda.ts';

/** One message as its use case gets it, besides the content. */
interface Delivery {
  readonly messageId: string;
  /** 1 at the first delivery. */
  readonly attempt: number;
  /** Milliseconds until the function is ended. */
  readonly remaining: () => number;
}

/** Processes one message. What it throws sends the message back to the queue. */
export type MessageUseCase<Message> = (message: Message, delivery: Delivery) => Promise<void>;

/** Lambda's answer to SQS: these messages come again. */
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
type Received = v.InferOutput<typeof sqsEvent>['Records'][number];

/** With less time than this left no further message is begun: it would be cut off and counted as a failure. */
const LAST_MILLISECONDS = 5_000;

/** Time of a context that does not tell (tests). */
const AMPLE_MILLISECONDS = 900_000;

/**
 * The Lambda handler of a queue: each message by itself, in order, failures reported one by one. `schema` parses the JSON
 * of a body and names its schema version; a message of another shape is never dropped, it goes back and so to the
 * dead-letter queue. `build` wires the use case and runs once.
 */
export const queueHandler = <Message>(
  schema: v.GenericSchema<unknown, Message>,
  build: () => MessageUseCase<Message>,
  { log }: { readonly log: Log } = systemSurroundings,
): QueueHandler => {
  let useCase: MessageUseCase<Message> | undefined;
  return withinInvocation(async (event, context) => {
    const { Records } = v.parse(sqsEvent, event);
    const remaining = context.getRemainingTimeInMillis ?? (() => AMPLE_MILLISECONDS);
    useCase ??= build();
    const failed: string[] = [];
    for (const [position, record] of Records.entries()) {
      const inTime = position === 0 || remaining() > LAST_MILLISECONDS;
      if (!inTime || !(await process(useCase, schema, record, { log, remaining })))
        failed.push(record.messageId);
    }
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  });
};

/** Processes one message and says whether it is done with. */
const process = async <Message>(
  useCase: MessageUseCase<Message>,
  schema: v.GenericSchema<unknown, Message>,
  record: Received,
  { log, remaining }: { readonly log: Log; readonly remaining: () => number },
): Promise<boolean> => {
  const about = { message_id: record.messageId };
  const message = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), record.body);
  if (!message.success) {
    log('message.unknown', about);
    return false;
  }
  const attempt = Number(record.attributes.ApproximateReceiveCount);
  try {
    await useCase(message.output, { messageId: record.messageId, attempt, remaining });
    return true;
  } catch (error) {
    log('message.failed', { ...about, count: attempt, error: errorFacts(error) });
    return false;
  }
};
