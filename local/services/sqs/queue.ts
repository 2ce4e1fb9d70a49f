/** Queue: receives, hides, redrives and deletes the messages of one SQS queue. */
import { hash, randomUUID } from 'node:crypto';
import type { Faults } from '../../core/faults.ts';
import { ServiceError } from '../../core/service-error.ts';
import { createDeduplication } from './deduplication.ts';
import { fairMessageStore } from './fair-message-store.ts';
import type { Message } from './messages.ts';
import { fifoMessageStore, type MessageStore } from './message-store.ts';
import { createReceipts } from './receipts.ts';
import { createWaiters } from './waiters.ts';

/**
 * A queue to create. Times are in seconds, with the defaults of SQS (30 s visibility timeout, no delay, 4 days
 * retention).
 */
export interface QueueDefinition {
  readonly name: string;
  readonly fifo?: boolean;
  readonly contentBasedDeduplication?: boolean | undefined;
  readonly visibilityTimeout?: number;
  readonly delay?: number;
  readonly retention?: number;
  readonly redrive?: { readonly arn: string; readonly maxReceiveCount: number } | undefined;
}

/** The number of messages by state. */
export interface QueueCounts {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

/** The log of changes to the messages. */
interface QueueLog {
  put(message: Message): void;
  received(message: Message): void;
  gone(id: string): void;
}

export interface QueueContext {
  readonly log: QueueLog;
  readonly now: () => number;
  readonly faults?: Faults | undefined;
  /** Moves a message to the dead-letter queue; false when that queue does not exist. */
  readonly redrive: (message: Message) => boolean;
}

/** A message to send. */
export interface NewMessage {
  readonly body: string;
  readonly attributes?: Message['attributes'];
  readonly groupId?: string | undefined;
  readonly deduplicationId?: string | undefined;
  readonly delay?: number | undefined;
}

/** A received message with its receipt handle. */
export interface Delivery {
  readonly message: Message;
  readonly receiptHandle: string;
}

/** Defaults of SQS, in seconds. */
const VISIBILITY_TIMEOUT = 30;
const RETENTION = 345_600;

/** SQS hides a message for at most 12 hours after a receive. */
const MAX_VISIBILITY_TIMEOUT = 43_200;

const handleExpired = (receiptHandle: string): ServiceError =>
  new ServiceError(
    'InvalidParameterValue',
    `Value ${receiptHandle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`,
  );

const tooLong = (seconds: number): ServiceError =>
  new ServiceError(
    'InvalidParameterValue',
    `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [${MAX_VISIBILITY_TIMEOUT} seconds].`,
  );

/** One queue: its message store and its receipt handles. */
export class Queue {
  readonly definition: QueueDefinition;
  readonly #context: QueueContext;
  readonly #messages = new Map<string, Message>();
  readonly #store: MessageStore;
  readonly #receipts = createReceipts();
  /** Messages that an injected fault delivers twice. True until the first deletion. */
  readonly #doubled = new Map<string, boolean>();
  readonly #sent = createDeduplication();
  readonly #waiters;
  #sequence = 0;
  #deletions = 0;

  constructor(definition: QueueDefinition, context: QueueContext) {
    this.definition = definition;
    this.#context = context;
    this.#store = definition.fifo ? fifoMessageStore() : fairMessageStore(context.now);
    this.#waiters = createWaiters(context.now);
  }

  /** All messages, visible or not, in no particular order. */
  messages(): readonly Message[] {
    return [...this.#messages.values()];
  }

  /** Sends a message, or returns the earlier message with the same deduplication id. Throws the errors of SQS. */
  send(input: NewMessage): Message {
    const now = this.#context.now();
    const fifo = this.definition.fifo ? this.#fifoFields(input) : {};
    const known = fifo.deduplicationId === undefined ? undefined : this.#sent.find(fifo.deduplicationId, now);
    if (known) return known;
    const delay = (this.definition.fifo ? undefined : input.delay) ?? this.definition.delay ?? 0;
    const message: Message = {
      id: randomUUID(),
      body: input.body,
      attributes: input.attributes ?? {},
      sentAt: now,
      visibleAt: now + delay * 1000,
      received: 0,
      ...(input.groupId === undefined ? {} : { groupId: input.groupId }),
      ...fifo,
      ...(this.definition.fifo ? { sequence: String(this.#sequence + 1).padStart(20, '0') } : {}),
    };
    this.put(message);
    return message;
  }

  /** Adds an existing message: a new one, a redriven one, or one from an earlier run. */
  put(message: Message): void {
    this.#sequence = Math.max(this.#sequence, Number(message.sequence ?? 0));
    if (message.deduplicationId !== undefined) this.#sent.remember(message.deduplicationId, message);
    this.#messages.set(message.id, message);
    this.#store.add(message);
    this.#context.log.put(message);
    this.#waiters.wake();
  }

  /** Receives up to `max` visible messages and hides them for the visibility timeout (seconds). */
  receive(
    max: number,
    visibilityTimeout = this.definition.visibilityTimeout ?? VISIBILITY_TIMEOUT,
  ): Delivery[] {
    const now = this.#context.now();
    const taken: Delivery[] = [];
    const passedOver = new Set<string>();
    for (const message of this.#store.available(now)) {
      if (taken.length >= max) break;
      if (this.#isOver(message, now)) continue;
      if (!passedOver.has(message.id) && this.#disturbs('reorder')) {
        // The message goes to the end of the store. This loop may still take it from there.
        passedOver.add(message.id);
        this.#store.changed(message);
        continue;
      }
      taken.push(this.#take(message, now, visibilityTimeout));
    }
    return taken;
  }

  /** Resolves when a message may be visible, at the latest at `deadline`. */
  wait(deadline: number, signal?: AbortSignal): Promise<void> {
    return this.#waiters.wait(Math.min(deadline, this.#store.nextVisibleAt(this.#context.now())), signal);
  }

  /**
   * Deletes the message of a receipt handle. A second deletion changes nothing, nor does a standard queue's handle of a
   * message that was received again since. A FIFO queue refuses the handle of a message that is no longer in flight.
   */
  delete(receiptHandle: string): void {
    const receipt = this.#receipts.find(receiptHandle);
    const message = this.#messages.get(receipt?.messageId ?? '');
    if (!receipt || !message) return;
    if (this.definition.fifo && !this.isInFlight(receiptHandle)) throw handleExpired(receiptHandle);
    if (!receipt.isLatest) return;
    if (this.#doubled.get(message.id) === true) this.#missDeletion(message);
    else this.remove(message);
    this.#deletions += 1;
  }

  /** Hides the message of a receipt handle for `seconds` from now. With 0 the message becomes visible at once. */
  changeVisibility(receiptHandle: string, seconds: number): void {
    const message = this.#inFlight(receiptHandle);
    const receivedAt = this.#receipts.find(receiptHandle)?.receivedAt ?? 0;
    const visibleAt = this.#context.now() + seconds * 1000;
    if (visibleAt > receivedAt + MAX_VISIBILITY_TIMEOUT * 1000) throw tooLong(seconds);
    this.#show(message, visibleAt);
  }

  /** Makes the message of a receipt handle visible in `seconds`, unless its receiver chose an earlier time. */
  showWithin(receiptHandle: string, seconds: number): void {
    const message = this.#inFlight(receiptHandle);
    this.#show(message, Math.min(message.visibleAt, this.#context.now() + seconds * 1000));
  }

  /** Whether the message of a receipt handle is hidden for the receiver that has this handle. */
  isInFlight(receiptHandle: string): boolean {
    const receipt = this.#receipts.find(receiptHandle);
    const message = this.#messages.get(receipt?.messageId ?? '');
    return receipt?.isLatest === true && message !== undefined && message.visibleAt > this.#context.now();
  }

  counts(): QueueCounts {
    const now = this.#context.now();
    const counts = { visible: 0, inFlight: 0, delayed: 0 };
    for (const { visibleAt, received } of this.#messages.values()) {
      if (visibleAt <= now) counts.visible++;
      else if (received > 0) counts.inFlight++;
      else counts.delayed++;
    }
    return counts;
  }

  /** When the oldest message was sent; undefined without one. */
  oldest(): number | undefined {
    let oldest: number | undefined;
    for (const { sentAt } of this.#messages.values()) oldest = Math.min(oldest ?? sentAt, sentAt);
    return oldest;
  }

  /** Messages that receivers have deleted. */
  deletions(): number {
    return this.#deletions;
  }

  /** Removes the messages whose retention is over at a time. */
  expire(now: number): void {
    for (const message of this.messages()) if (this.#isExpired(message, now)) this.remove(message);
  }

  /** Removes a message. */
  remove(message: Message): void {
    this.#messages.delete(message.id);
    this.#doubled.delete(message.id);
    this.#receipts.forget(message.id);
    this.#store.remove(message);
    this.#context.log.gone(message.id);
    // A receiver may have waited for the next message of the group.
    if (this.definition.fifo) this.#waiters.wake();
  }

  /** Wakes all waiting receivers. They find no message and return. */
  close(): void {
    this.#waiters.wake();
  }

  #take(message: Message, now: number, visibilityTimeout: number): Delivery {
    const receiptHandle = this.#receipts.issue(message.id, now);
    message.received++;
    message.firstReceivedAt ??= now;
    // A duplicate stays visible although a consumer has received it, and survives its first deletion.
    if (!this.#doubled.has(message.id) && this.#disturbs('duplicate')) {
      this.#doubled.set(message.id, true);
    } else {
      message.visibleAt = now + visibilityTimeout * 1000;
      this.#store.changed(message);
    }
    this.#context.log.received(message);
    return { message, receiptHandle };
  }

  /** The fault: the first deletion missed the second copy of the message, so another consumer can receive it. */
  #missDeletion(message: Message): void {
    this.#doubled.set(message.id, false);
    this.#show(message, this.#context.now());
  }

  /** The message of a receipt handle. Throws MessageNotInflight. A message that a fault doubled has two receivers. */
  #inFlight(receiptHandle: string): Message {
    const message = this.#messages.get(this.#receipts.find(receiptHandle)?.messageId ?? '');
    if (message && (this.#doubled.has(message.id) || this.isInFlight(receiptHandle))) return message;
    throw new ServiceError('MessageNotInflight', 'The specified message is not in flight.');
  }

  #show(message: Message, visibleAt: number): void {
    message.visibleAt = visibleAt;
    this.#store.changed(message);
    this.#waiters.wake();
  }

  /**
   * Removes a message that has expired, or redrives a message that was received too often. True when the message is no
   * longer available.
   */
  #isOver(message: Message, now: number): boolean {
    const spent = message.received >= (this.definition.redrive?.maxReceiveCount ?? Infinity);
    if (!this.#isExpired(message, now) && !(spent && this.#context.redrive(message))) return false;
    this.remove(message);
    return true;
  }

  #isExpired({ sentAt }: Message, now: number): boolean {
    return sentAt + (this.definition.retention ?? RETENTION) * 1000 <= now;
  }

  /** Standard queues only promise at-least-once delivery in approximate order. */
  #disturbs(kind: 'duplicate' | 'reorder'): boolean {
    return !this.definition.fifo && this.#context.faults?.decide(kind, this.definition.name) === true;
  }

  #fifoFields(input: NewMessage): { deduplicationId?: string } {
    if (input.groupId === undefined)
      throw new ServiceError('MissingParameter', 'The request must contain the parameter MessageGroupId.');

    if (input.deduplicationId !== undefined) return { deduplicationId: input.deduplicationId };
    if (this.definition.contentBasedDeduplication)
      return { deduplicationId: hash('sha256', input.body, 'hex') };
    const message =
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly';
    throw new ServiceError('InvalidParameterValue', message);
  }
}
