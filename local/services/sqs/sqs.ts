/**
 * SQS of the embedded cloud: standard and FIFO queues with visibility timeout, delay, deduplication and redrive.
 *
 *     const sqs = createSqs({ origin: gateway.url, dataDir, faults });
 *     const { url, arn } = sqs.createQueue({ name: 'batches', visibilityTimeout: 180, redrive: { arn: dlq.arn, maxReceiveCount: 5 } });
 *     gateway.addService(sqs.service);
 *     const queue = sqs.queue('batches');                    // for the event source poller, without HTTP
 *     for (const message of await queue.receive(10, 1000)) … queue.delete(message.receiptHandle);
 *     sqs.close();
 *
 * With `dataDir` messages survive a restart, and messages in flight become visible again; `createQueue` finds them.
 * With `faults`, standard queues deliver some messages twice and some out of order, by the seed.
 */
import { ACCOUNT, arn } from '../../core/arn.ts';
import type { Faults } from '../../core/faults.ts';
import type { AwsRequest, AwsResponse, AwsService } from '../../core/types.ts';
import { jsonBody, jsonResponse, targetOperation } from '../../core/json-protocol.ts';
import { ServiceError } from '../../core/service-error.ts';
import { ACTIONS, type ActionContext } from './actions.ts';
import { md5Of, type Message } from './messages.ts';
import { permissionsOf } from './permissions.ts';
import type { NewMessage, QueueCounts, QueueDefinition } from './queue.ts';
import { openQueues } from './queues.ts';
import { receiveOrWait, systemAttributes } from './receive.ts';

/** A received message. `attributes` are the system attributes with their names in SQS. */
export interface ReceivedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly md5OfBody: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Message['attributes'];
}

/** Options of the service. `origin` is the URL of the gateway, from which queue URLs derive. */
export interface SqsOptions {
  readonly origin: string;
  readonly dataDir?: string | undefined;
  readonly faults?: Faults | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

/** Opens the service. */
export const createSqs = (options: SqsOptions) => {
  const { origin, dataDir, faults, now = Date.now } = options;
  const queues = openQueues({ dataDir, faults, now });
  const urlOf = (name: string) => `${origin}/${ACCOUNT}/${name}`;
  const context = { queues, now, urlOf };
  return {
    service: {
      name: 'sqs',
      permissions: permissionsOf,
      handle: (request) => handle(context, request),
    } satisfies AwsService,
    /** Creates the queue, and restores its messages from before a restart. */
    createQueue: (definition: QueueDefinition): { readonly url: string; readonly arn: string } => {
      queues.create(definition);
      return { url: urlOf(definition.name), arn: arn('sqs', definition.name) };
    },
    /** Throws when the queue does not exist. */
    queue: (name: string): DirectQueue => directQueue(context, name),
    close: () => queues.close(),
  };
};

/** The running service. */
export type Sqs = ReturnType<typeof createSqs>;

const handle = async (context: ActionContext, request: AwsRequest): Promise<AwsResponse> => {
  const operation = targetOperation(request);
  const action = ACTIONS[operation];
  if (!action) throw new ServiceError('InvalidAction', `${operation} is not known to the embedded cloud`);
  return jsonResponse(await action(context, jsonBody(request)));
};

const directQueue = (context: ActionContext, name: string) => {
  const { queues, now, urlOf } = context;
  const queue = queues.find(name);
  return {
    name,
    arn: arn('sqs', name),
    url: urlOf(name),
    /**
     * Receives up to `max` (10 at most) messages, and waits up to `waitMs` for the first. `signal` ends the wait early.
     */
    receive: async (
      max: number,
      waitMs: number,
      signal?: AbortSignal,
    ): Promise<readonly ReceivedMessage[]> => {
      const taken = await receiveOrWait(
        queue,
        { max: Math.min(max, 10), deadline: now() + waitMs },
        now,
        signal,
      );
      return taken.map(({ message, receiptHandle }) => ({
        messageId: message.id,
        receiptHandle,
        body: message.body,
        md5OfBody: md5Of(message.body),
        attributes: systemAttributes(message),
        messageAttributes: message.attributes,
      }));
    },
    delete: (receiptHandle: string) => queue.delete(receiptHandle),
    changeVisibility: (receiptHandle: string, seconds: number) =>
      queue.changeVisibility(receiptHandle, seconds),
    /** Makes the message of a receipt handle visible in `seconds`, unless its receiver chose an earlier time. */
    showWithin: (receiptHandle: string, seconds: number) => queue.showWithin(receiptHandle, seconds),
    /** Whether the message of a receipt handle is hidden for the receiver that has this handle. */
    isInFlight: (receiptHandle: string): boolean => queue.isInFlight(receiptHandle),
    send: (body: string, more: Omit<NewMessage, 'body'> = {}) => void queue.send({ body, ...more }),
    counts: (): QueueCounts => queue.counts(),
    /** The bodies of all messages, also of hidden ones, for tests that search them. */
    bodies: (): readonly string[] => queue.messages().map(({ body }) => body),
    /** When the oldest message was sent, in milliseconds since the epoch; undefined for an empty queue. */
    oldest: (): number | undefined => queue.oldest(),
    /** Messages that receivers have deleted since the start. */
    deletions: (): number => queue.deletions(),
    /** Removes the messages whose retention is over at a time (milliseconds since the epoch). */
    expire: (time: number) => queue.expire(time),
    purge: () => {
      for (const message of queue.messages()) queue.remove(message);
    },
  };
};

/** Direct access to one queue, without HTTP and IAM, for the event source poller, tests and the operator. */
export type DirectQueue = ReturnType<typeof directQueue>;
