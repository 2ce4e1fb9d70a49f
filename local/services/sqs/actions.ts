import * as v from 'valibot';
import { ServiceError } from '../wire.ts';
import {
  AttributeShape,
  checkMessage,
  MAX_MESSAGE_BYTES,
  md5Of,
  md5OfAttributes,
  messageBytes,
} from './messages.ts';
import type { Message } from './messages.ts';
import type { Queue, Taken } from './queue.ts';
import type { Queues } from './queues.ts';

/** What an action works with. */
export interface ActionContext {
  readonly queues: Queues;
  readonly now: () => number;
  readonly urlOf: (name: string) => string;
  readonly arnOf: (name: string) => string;
}

type Action = (context: ActionContext, input: unknown) => object | Promise<object>;

/** Name of the queue of a URL or an ARN. */
export const queueName = (location: string): string => location.split(/[/:]/).at(-1) ?? '';

const Entry = v.object({
  Id: v.optional(v.string(), ''),
  MessageBody: v.optional(v.string(), ''),
  MessageAttributes: v.optional(v.record(v.string(), AttributeShape), {}),
  DelaySeconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(900))),
  MessageGroupId: v.optional(v.string()),
  MessageDeduplicationId: v.optional(v.string()),
});
type Entry = v.InferOutput<typeof Entry>;
const Url = { QueueUrl: v.string() };
const Seconds = v.pipe(v.number(), v.minValue(0), v.maxValue(43_200));
const Receipt = v.object({ Id: v.optional(v.string(), ''), ReceiptHandle: v.string() });
const Visibility = v.object({ ...Receipt.entries, VisibilityTimeout: Seconds });
const Receive = v.object({
  ...Url,
  MaxNumberOfMessages: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(10)), 1),
  VisibilityTimeout: v.optional(Seconds),
  WaitTimeSeconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(20)), 0),
});

/** Parses the input of an action. Throws the refusal of SQS. */
export const parseInput = <T>(schema: v.GenericSchema<unknown, T>, input: unknown): T => {
  const result = v.safeParse(schema, input);
  if (!result.success) throw new ServiceError('InvalidParameterValue', v.summarize(result.issues));
  return result.output;
};

const queueOf = ({ queues }: ActionContext, input: unknown): Queue =>
  queues.find(queueName(parseInput(v.object(Url), input).QueueUrl));

const sendOne = (queue: Queue, entry: Entry): object => {
  checkMessage(entry.MessageBody, entry.MessageAttributes);
  const message = queue.send({
    body: entry.MessageBody,
    attributes: entry.MessageAttributes,
    delay: entry.DelaySeconds,
    groupId: entry.MessageGroupId,
    deduplicationId: entry.MessageDeduplicationId,
  });
  return {
    MessageId: message.id,
    MD5OfMessageBody: md5Of(entry.MessageBody),
    MD5OfMessageAttributes: md5OfAttributes(entry.MessageAttributes),
    SequenceNumber: message.sequence,
  };
};

/** Runs each entry of a batch for itself: what one refuses, the others don't feel. */
const batch = <T extends { readonly Id: string }>(
  entries: readonly T[],
  run: (entry: T) => object,
): object => {
  if (entries.length === 0)
    throw new ServiceError('EmptyBatchRequest', 'The batch request contains no entries.');
  if (entries.length > 10)
    throw new ServiceError('TooManyEntriesInBatchRequest', 'A batch holds at most 10 entries.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new ServiceError('BatchEntryIdsNotDistinct', 'Two or more batch entries have the same Id.');
  }
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      Failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  return { Successful, Failed };
};

const entriesOf = <T>(schema: v.GenericSchema<unknown, T>, input: unknown): T[] =>
  parseInput(v.object({ Entries: v.array(schema) }), input).Entries;

const sendBatch: Action = (context, input) => {
  const entries = entriesOf(Entry, input);
  const queue = queueOf(context, input);
  const bytes = entries.reduce((sum, one) => sum + messageBytes(one.MessageBody, one.MessageAttributes), 0);
  if (bytes > MAX_MESSAGE_BYTES) {
    throw new ServiceError(
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${MAX_MESSAGE_BYTES} bytes.`,
    );
  }
  return batch(entries, (entry) => sendOne(queue, entry));
};

/** Receives at once what is there, else waits for the first message until the deadline. */
export const receiveOrWait = async (
  queue: Queue,
  wish: { readonly max: number; readonly deadline: number; readonly visibilityTimeout?: number | undefined },
  now: () => number,
  signal?: AbortSignal,
): Promise<Taken[]> => {
  for (;;) {
    const taken = queue.receive(wish.max, wish.visibilityTimeout);
    if (taken.length > 0 || now() >= wish.deadline || signal?.aborted) return taken;
    await queue.wait(wish.deadline, signal);
  }
};

const receive: Action = async (context, input) => {
  const { MaxNumberOfMessages: max, VisibilityTimeout, WaitTimeSeconds } = parseInput(Receive, input);
  const deadline = context.now() + WaitTimeSeconds * 1000;
  const wish = { max, deadline, visibilityTimeout: VisibilityTimeout };
  const taken = await receiveOrWait(queueOf(context, input), wish, context.now);
  return { Messages: taken.length === 0 ? undefined : taken.map(describe) };
};

const describe = ({ message, receiptHandle }: Taken): object => ({
  MessageId: message.id,
  ReceiptHandle: receiptHandle,
  Body: message.body,
  MD5OfBody: md5Of(message.body),
  Attributes: systemAttributes(message),
  ...(Object.keys(message.attributes).length > 0
    ? { MessageAttributes: message.attributes, MD5OfMessageAttributes: md5OfAttributes(message.attributes) }
    : {}),
});

/** What SQS knows of a message; sent whether it was asked for or not. */
export const systemAttributes = (message: Message): Record<string, string> => ({
  SentTimestamp: String(message.sentAt),
  ApproximateReceiveCount: String(message.received),
  ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt ?? message.sentAt),
  SenderId: 'tidemark',
  ...(message.groupId === undefined ? {} : { MessageGroupId: message.groupId }),
  ...(message.deduplicationId === undefined ? {} : { MessageDeduplicationId: message.deduplicationId }),
  ...(message.sequence === undefined ? {} : { SequenceNumber: message.sequence }),
});

const attributes: Action = (context, input) => {
  const queue = queueOf(context, input);
  const { visible, inFlight, delayed } = queue.counts();
  const { name, fifo, visibilityTimeout = 30, retention = 345_600, redrive } = queue.definition;
  return {
    Attributes: {
      QueueArn: context.arnOf(name),
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesNotVisible: String(inFlight),
      ApproximateNumberOfMessagesDelayed: String(delayed),
      VisibilityTimeout: String(visibilityTimeout),
      MessageRetentionPeriod: String(retention),
      MaximumMessageSize: String(MAX_MESSAGE_BYTES),
      ...(fifo ? { FifoQueue: 'true' } : {}),
      ...(redrive
        ? {
            RedrivePolicy: JSON.stringify({
              deadLetterTargetArn: redrive.arn,
              maxReceiveCount: redrive.maxReceiveCount,
            }),
          }
        : {}),
    },
  };
};

const MoveTask = v.object({ SourceArn: v.string(), DestinationArn: v.optional(v.string()) });

/** The operations by name. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  SendMessage: (context, input) => sendOne(queueOf(context, input), parseInput(Entry, input)),
  SendMessageBatch: sendBatch,
  ReceiveMessage: receive,
  DeleteMessage: (context, input) => {
    queueOf(context, input).delete(parseInput(Receipt, input).ReceiptHandle);
    return {};
  },
  DeleteMessageBatch: (context, input) => {
    const queue = queueOf(context, input);
    return batch(entriesOf(Receipt, input), ({ ReceiptHandle }) => {
      queue.delete(ReceiptHandle);
      return {};
    });
  },
  ChangeMessageVisibility: (context, input) => {
    const { ReceiptHandle, VisibilityTimeout } = parseInput(Visibility, input);
    queueOf(context, input).changeVisibility(ReceiptHandle, VisibilityTimeout);
    return {};
  },
  ChangeMessageVisibilityBatch: (context, input) => {
    const queue = queueOf(context, input);
    return batch(entriesOf(Visibility, input), ({ ReceiptHandle, VisibilityTimeout }) => {
      queue.changeVisibility(ReceiptHandle, VisibilityTimeout);
      return {};
    });
  },
  GetQueueAttributes: attributes,
  GetQueueUrl: ({ queues, urlOf }, input) => {
    const { QueueName } = parseInput(v.object({ QueueName: v.string() }), input);
    queues.find(QueueName);
    return { QueueUrl: urlOf(QueueName) };
  },
  PurgeQueue: (context, input) => {
    const queue = queueOf(context, input);
    for (const message of queue.messages()) queue.remove(message);
    return {};
  },
  StartMessageMoveTask: ({ queues }, input) => {
    const { SourceArn, DestinationArn } = parseInput(MoveTask, input);
    const to = DestinationArn === undefined ? undefined : queueName(DestinationArn);
    return { TaskHandle: `moved-${queues.moveBack(queueName(SourceArn), to)}` };
  },
};
