/**
 * SQS of the embedded cloud: standard and FIFO queues with visibility timeout, delay, deduplication and redrive.
 *
 *     const sqs = await createSqs({ scope, origin: gateway.url, dataDir, faults });
 *     const { url, arn } = sqs.createQueue({ name: 'batches', visibilityTimeout: 180, redrive: { arn: dlq.arn, maxReceiveCount: 5 } });
 *     gateway.addService(sqs.service);
 *     const queue = sqs.queue('batches');                    // for the event source poller, without HTTP
 *     for (const message of await queue.receive(10, 1000)) … queue.delete(message.receiptHandle);
 *     await sqs.close();
 *
 * With `dataDir` messages survive a restart (those in flight become visible again); `createQueue` then finds its
 * messages. With `faults`, standard queues deliver some messages twice and some out of order, by the seed.
 */
import type { AwsService, Scope } from '../../types.ts';
import type { Faults } from '../../gateway/faults.ts';

/** A queue to create. Times in seconds; the defaults are those of SQS (30 s visible, no delay, 4 days kept). */
export interface QueueDefinition {
  readonly name: string;
  readonly fifo?: boolean;
  readonly contentBasedDeduplication?: boolean;
  readonly visibilityTimeout?: number;
  readonly delay?: number;
  readonly retention?: number;
  readonly redrive?: { readonly arn: string; readonly maxReceiveCount: number };
}

/** A message as received; `attributes` are the system attributes as SQS names them. */
export interface ReceivedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly md5OfBody: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Readonly<Record<string, MessageAttribute>>;
}

/** One custom attribute of a message. */
export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string | undefined;
  readonly BinaryValue?: string | undefined;
}

/** How many messages are where, as SQS counts them. */
export interface QueueCounts {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

/** One queue, without HTTP and without IAM: for the event source poller, tests and the operator's view. */
export interface DirectQueue {
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  /** Up to `max` (10 at most) messages; waits up to `waitMs` for the first. `signal` ends the wait early. */
  receive(max: number, waitMs: number, signal?: AbortSignal): Promise<readonly ReceivedMessage[]>;
  delete(receiptHandle: string): void;
  changeVisibility(receiptHandle: string, seconds: number): void;
  send(
    body: string,
    options?: { readonly groupId?: string; readonly deduplicationId?: string; readonly delay?: number },
  ): void;
  counts(): QueueCounts;
  purge(): void;
}

/** How to open the service; `origin` is the gateway's URL, from which queue URLs are made. */
export interface SqsOptions {
  readonly scope: Scope;
  readonly origin: string;
  readonly dataDir?: string;
  readonly faults?: Faults;
}

/** The running service. */
export interface Sqs {
  readonly service: AwsService;
  /** Creates the queue, or takes over the messages it had before a restart. */
  createQueue(definition: QueueDefinition): { readonly url: string; readonly arn: string };
  /** Throws when there is no such queue. */
  queue(name: string): DirectQueue;
  close(): Promise<void>;
}

/** Opens the service. */
export const createSqs = (options: SqsOptions): Promise<Sqs> =>
  Promise.reject(new Error(`sqs is not built yet: ${options.origin}`));
