/** SQS queue: implements the `Queue` port with batches and retries. */
import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { clientOptions } from './aws-client.ts';
import { lateClient } from './late-client.ts';
import { jitteredPause, type Pause } from './pause.ts';
import { retryRemaining } from './retry.ts';
import { systemIds, type Ids } from './ids.ts';
import type { Queue, QueueMessage, Redelivery } from './ports.ts';

/** SQS's limit of messages in one request. */
const MESSAGES_PER_BATCH = 10;

/** SQS's classic limit of bytes in one request. Bodies are references, far below it. */
const BATCH_BYTES = 256_000;

/** How often the refused messages of a batch are sent again before the call fails. */
const patience = { rounds: 8, longest: Number.POSITIVE_INFINITY };

const sqs = lateClient(
  () => import('@aws-sdk/client-sqs'),
  ({ SQSClient }) => new SQSClient(clientOptions('SQS')),
);

/**
 * The queue with this URL. `send` sends batches in order. Messages that failed on the side of SQS are sent
 * again, so a message may arrive twice. Throws when SQS refuses a message or keeps failing.
 */
export const queue = (url: string, pause: Pause = jitteredPause): Queue => ({
  send: async (messages) => {
    for (const batch of requestsOf(messages)) await sendBatch(url, batch, pause);
  },
});

/** The attribute of a copy that has the time of the first copy. */
export const FIRST_COPIED = 'firstCopied';

/** The queue with this URL, as its consumer uses it for messages that are not done. */
export const redelivery = (url: string, ids: Ids = systemIds): Redelivery => {
  // SQS demands this ending.
  const isOrdered = url.endsWith('.fifo');
  return {
    isOrdered,
    giveBack: async (receipt, seconds) => {
      const { sdk, client } = await sqs();
      const about = { QueueUrl: url, ReceiptHandle: receipt };
      await client.send(new sdk.ChangeMessageVisibilityCommand({ ...about, VisibilityTimeout: seconds }));
    },
    sendCopy: async ({ body, group, firstCopied }) => {
      const { sdk, client } = await sqs();
      const copy = new sdk.SendMessageCommand({
        QueueUrl: url,
        MessageBody: body,
        MessageAttributes: { [FIRST_COPIED]: { DataType: 'Number', StringValue: String(firstCopied) } },
        ...(group === undefined ? {} : { MessageGroupId: group }),
        ...(isOrdered ? { MessageDeduplicationId: ids.uuid() } : {}),
      });
      await client.send(copy);
    },
  };
};

/** Cuts messages into requests of at most ten messages and 256,000 bytes. */
export const requestsOf = (messages: readonly QueueMessage[]): readonly (readonly QueueMessage[])[] => {
  const batches: QueueMessage[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = Buffer.byteLength(message.body);
    const last = batches.at(-1);
    if (last && last.length < MESSAGES_PER_BATCH && bytes + size <= BATCH_BYTES) {
      last.push(message);
      bytes += size;
    } else {
      batches.push([message]);
      bytes = size;
    }
  }
  return batches;
};

const sendBatch = async (url: string, batch: readonly QueueMessage[], pause: Pause): Promise<void> => {
  const { sdk, client } = await sqs();
  await retryRemaining(
    { pause, what: 'queue: messages could not be sent', patience },
    batch,
    async (left) => {
      const entries = { QueueUrl: url, Entries: left.map(entryOf) };
      const { Failed = [] } = await client.send(new sdk.SendMessageBatchCommand(entries));
      return failedOf(left, Failed);
    },
  );
};

const entryOf = ({ body, group, deduplicationId }: QueueMessage, index: number) => ({
  Id: String(index),
  MessageBody: body,
  ...(group === undefined ? {} : { MessageGroupId: group }),
  ...(deduplicationId === undefined ? {} : { MessageDeduplicationId: deduplicationId }),
});

/** The messages of a batch that SQS did not take. */
const failedOf = (
  batch: readonly QueueMessage[],
  failed: readonly BatchResultErrorEntry[],
): readonly QueueMessage[] => {
  const refused = failed.find(({ SenderFault }) => SenderFault);
  if (refused) throw new Error(`queue: a message was refused with ${refused.Code}`);
  const again = new Set(failed.map(({ Id }) => Id));
  return batch.filter((_, index) => again.has(String(index)));
};
