/** SQS dead letters: implements the `DeadLetterQueues` port. Queues go by their physical names. */
import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
  type Message,
} from '@aws-sdk/client-sqs';
import { clientOptions } from './aws-client.ts';
import type { DeadLetter, DeadLetterQueues } from './ports.ts';

/** SQS's limit of messages in one request. */
const MESSAGES_PER_BATCH = 10;

/** Messages that were looked at come back after this time, should the caller die before it gives them back. */
const HIDDEN_SECONDS = 30;

/** A wait lets SQS ask all of its servers, so that an empty answer means an empty queue. */
const WAIT_SECONDS = 1;

/** The messages of a queue: those that a receive finds, and those that a look, a move or another caller hides. */
const counted = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
type Attribute = 'QueueArn' | (typeof counted)[number];

/** The dead letters of the account and region of the caller. */
export const deadLetterQueues = (sqs = new SQSClient(clientOptions('SQS'))): DeadLetterQueues => {
  const urlOf = async (QueueName: string): Promise<string | undefined> =>
    (await sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl;
  const attributesOf = async (name: string, asked: readonly Attribute[]): Promise<readonly string[]> => {
    const request = { QueueUrl: await urlOf(name), AttributeNames: [...asked] };
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand(request));
    return asked.map((attribute) => {
      const value = Attributes?.[attribute];
      if (value === undefined) throw new Error(`sqs: ${name} has no ${attribute}`);
      return value;
    });
  };
  return {
    count: async (queue) => (await attributesOf(queue, counted)).reduce((sum, some) => sum + Number(some), 0),
    look: async (queue, most) => lookAt(sqs, await urlOf(queue), most),
    moveBack: async (from, to) => {
      const [SourceArn = ''] = await attributesOf(from, ['QueueArn']);
      // SQS does not know the way back of messages that EventBridge and its Scheduler sent here.
      const DestinationArn = SourceArn.slice(0, SourceArn.lastIndexOf(':') + 1) + to;
      return unless(/already a task running/i, () =>
        sqs.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn })),
      );
    },
    purge: async (queue) => {
      const QueueUrl = await urlOf(queue);
      return unless(/PurgeQueueInProgress/, () => sqs.send(new PurgeQueueCommand({ QueueUrl })));
    },
  };
};

/** Runs a call; false when SQS refuses it with an error of this name or message. */
const unless = async (refusal: RegExp, call: () => Promise<unknown>): Promise<boolean> => {
  try {
    await call();
    return true;
  } catch (error) {
    if (error instanceof Error && refusal.test(`${error.name} ${error.message}`)) return false;
    throw error;
  }
};

/** Receives messages until there are no more, or `most` of them, and gives all of them back. */
const lookAt = async (
  sqs: SQSClient,
  QueueUrl: string | undefined,
  most: number,
): Promise<readonly DeadLetter[]> => {
  const found = new Map<string | undefined, Message>();
  try {
    while (found.size < most) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: Math.min(MESSAGES_PER_BATCH, most - found.size),
          VisibilityTimeout: HIDDEN_SECONDS,
          WaitTimeSeconds: WAIT_SECONDS,
          MessageSystemAttributeNames: ['SentTimestamp'],
          MessageAttributeNames: ['ERROR_CODE', 'ERROR_MESSAGE'],
        }),
      );
      if (Messages.length === 0) break;
      for (const message of Messages) found.set(message.MessageId, message);
    }
  } finally {
    await giveBack(sqs, QueueUrl, [...found.values()]);
  }
  return [...found.values()].map(letterOf);
};

const giveBack = async (
  sqs: SQSClient,
  QueueUrl: string | undefined,
  messages: readonly Message[],
): Promise<void> => {
  for (let from = 0; from < messages.length; from += MESSAGES_PER_BATCH) {
    const Entries = messages
      .slice(from, from + MESSAGES_PER_BATCH)
      .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle, VisibilityTimeout: 0 }));
    await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
  }
};

const letterOf = ({ MessageId, Body, Attributes, MessageAttributes }: Message): DeadLetter => {
  const [code, text] = ['ERROR_CODE', 'ERROR_MESSAGE'].map((name) => MessageAttributes?.[name]?.StringValue);
  const reason = [code, text].filter((part) => part !== undefined).join(': ');
  const letter = { id: MessageId ?? '', body: Body ?? '', sentAt: Number(Attributes?.SentTimestamp ?? 0) };
  return reason === '' ? letter : { ...letter, reason };
};
