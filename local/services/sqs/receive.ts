import { md5Of, md5OfAttributes, type Message } from './messages.ts';
import type { Queue, Delivery } from './queue.ts';

/** Receives the available messages, or waits for the first message until the deadline. */
export const receiveOrWait = async (
  queue: Queue,
  request: {
    readonly max: number;
    readonly deadline: number;
    readonly visibilityTimeout?: number | undefined;
  },
  now: () => number,
  signal?: AbortSignal,
): Promise<Delivery[]> => {
  for (;;) {
    const taken = queue.receive(request.max, request.visibilityTimeout);
    if (taken.length > 0 || now() >= request.deadline || signal?.aborted) return taken;
    await queue.wait(request.deadline, signal);
  }
};

/** A received message, as ReceiveMessage returns it. */
export const describe = ({ message, receiptHandle }: Delivery): object => ({
  MessageId: message.id,
  ReceiptHandle: receiptHandle,
  Body: message.body,
  MD5OfBody: md5Of(message.body),
  Attributes: systemAttributes(message),
  ...(Object.keys(message.attributes).length > 0
    ? { MessageAttributes: message.attributes, MD5OfMessageAttributes: md5OfAttributes(message.attributes) }
    : {}),
});

/** The system attributes of a message. The answer contains them even when the request does not ask for them. */
export const systemAttributes = (message: Message): Record<string, string> => ({
  SentTimestamp: String(message.sentAt),
  ApproximateReceiveCount: String(message.received),
  ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt ?? message.sentAt),
  SenderId: 'AIDALOCAL',
  ...(message.groupId === undefined ? {} : { MessageGroupId: message.groupId }),
  ...(message.deduplicationId === undefined ? {} : { MessageDeduplicationId: message.deduplicationId }),
  ...(message.sequence === undefined ? {} : { SequenceNumber: message.sequence }),
});
