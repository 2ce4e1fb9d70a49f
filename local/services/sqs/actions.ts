/** SQS actions: validates the input of each operation and runs it on its queue. */
import * as v from 'valibot';
import { arn } from '../../core/arn.ts';
import { ServiceError } from '../../core/service-error.ts';
import {
  Entry,
  MoveTask,
  parseInput,
  queueName,
  Receipt,
  receiptOf,
  Receive,
  Url,
  Visibility,
} from './inputs.ts';
import { checkMessage, MAX_MESSAGE_BYTES, md5Of, md5OfAttributes, messageBytes } from './messages.ts';
import type { Queue } from './queue.ts';
import type { Queues } from './queues.ts';
import { describe, receiveOrWait } from './receive.ts';

export interface ActionContext {
  readonly queues: Queues;
  readonly now: () => number;
  readonly urlOf: (name: string) => string;
}

type Action = (context: ActionContext, input: unknown) => object | Promise<object>;

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

/** Runs each entry of a batch separately. The failure of one entry does not affect the others. */
const batch = <T extends { readonly Id: string }>(
  entries: readonly T[],
  run: (entry: T) => object,
): object => {
  if (entries.length === 0)
    throw new ServiceError('EmptyBatchRequest', 'The batch request contains no entries.');
  if (entries.length > 10)
    throw new ServiceError('TooManyEntriesInBatchRequest', 'A batch holds at most 10 entries.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    throw new ServiceError('BatchEntryIdsNotDistinct', 'Two or more batch entries have the same Id.');

  if (entries.some(({ Id }) => !/^[\w-]{1,80}$/.test(Id))) {
    throw new ServiceError(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
    );
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

const receive: Action = async (context, input) => {
  const { MaxNumberOfMessages: max, VisibilityTimeout, WaitTimeSeconds } = parseInput(Receive, input);
  const deadline = context.now() + WaitTimeSeconds * 1000;
  const request = { max, deadline, visibilityTimeout: VisibilityTimeout };
  const taken = await receiveOrWait(queueOf(context, input), request, context.now);
  return { Messages: taken.length === 0 ? undefined : taken.map(describe) };
};

const attributes: Action = (context, input) => {
  const queue = queueOf(context, input);
  const { visible, inFlight, delayed } = queue.counts();
  const { name, fifo, visibilityTimeout = 30, retention = 345_600, redrive } = queue.definition;
  return {
    Attributes: {
      QueueArn: arn('sqs', name),
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

/** The operations by name. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  SendMessage: (context, input) => sendOne(queueOf(context, input), parseInput(Entry, input)),
  SendMessageBatch: sendBatch,
  ReceiveMessage: receive,
  DeleteMessage: (context, input) => {
    queueOf(context, input).delete(receiptOf(parseInput(Receipt, input).ReceiptHandle));
    return {};
  },
  DeleteMessageBatch: (context, input) => {
    const queue = queueOf(context, input);
    return batch(entriesOf(Receipt, input), ({ ReceiptHandle }) => {
      queue.delete(receiptOf(ReceiptHandle));
      return {};
    });
  },
  ChangeMessageVisibility: (context, input) => {
    const { ReceiptHandle, VisibilityTimeout } = parseInput(Visibility, input);
    queueOf(context, input).changeVisibility(receiptOf(ReceiptHandle), VisibilityTimeout);
    return {};
  },
  ChangeMessageVisibilityBatch: (context, input) => {
    const queue = queueOf(context, input);
    return batch(entriesOf(Visibility, input), ({ ReceiptHandle, VisibilityTimeout }) => {
      queue.changeVisibility(receiptOf(ReceiptHandle), VisibilityTimeout);
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
