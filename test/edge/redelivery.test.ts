/** Messages on the embedded SQS in virtual time, with the pauses that the handler chooses. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { createSqs, type DirectQueue } from '../../local/services/sqs/sqs.ts';
import { queueHandler } from '../../shared/edge/queue-handler.ts';
import { limits } from '../../shared/config/limits.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import type { Redelivery } from '../../shared/runtime/ports.ts';
import { FIRST_COPIED } from '../../shared/runtime/sqs-queue.ts';
import { sqsEventOf } from '../../local/services/lambda/sqs-event.ts';

beforeAll(() => void vi.stubEnv('DRAINS_QUEUE_URL', 'https://sqs.test/1/q'));
afterAll(() => vi.unstubAllEnvs());

/** Visibility of the queue, as long as that of the batches: half an hour. */
const VISIBILITY_SECONDS = 1_800;
const { maxReceiveCount } = limits.queues;

type Attributes = NonNullable<NonNullable<Parameters<DirectQueue['send']>[1]>['attributes']>;
type Work = (body: { readonly n: number }) => void;

/** A queue with a consumer. `dies` ends the consumer after its handler, before SQS learns of the outcome. */
const openQueue = (isOrdered: boolean, work: Work, dies: () => boolean = () => false) => {
  const time = { now: 0 };
  const sqs = createSqs({ origin: 'http://sqs.test', now: () => time.now });
  const end = isOrdered ? '.fifo' : '';
  const dead = sqs.createQueue({ name: `dead${end}`, fifo: isOrdered });
  sqs.createQueue({
    name: `work${end}`,
    fifo: isOrdered,
    visibilityTimeout: VISIBILITY_SECONDS,
    redrive: { arn: dead.arn, maxReceiveCount },
  });
  const queue = sqs.queue(`work${end}`);
  let ids = 0;
  const send = (body: string, groupId = 'property-7', attributes: Attributes = {}): void =>
    queue.send(body, { groupId, attributes, ...(isOrdered ? { deduplicationId: `d${(ids += 1)}` } : {}) });
  const redelivery: Redelivery = {
    isOrdered,
    giveBack: (receipt, seconds) => {
      queue.changeVisibility(receipt, seconds);
      return Promise.resolve();
    },
    sendCopy: ({ body, group, firstCopied }) => {
      send(body, group, { [FIRST_COPIED]: { DataType: 'Number', StringValue: String(firstCopied) } });
      return Promise.resolve();
    },
  };
  const handler = queueHandler(
    v.object({ n: v.number() }),
    (_, body) => {
      work(body);
      return Promise.resolve();
    },
    () => undefined,
    'DRAINS_QUEUE_URL',
    { clock: () => time.now, random: () => 0.5, log: () => undefined, redelivery: () => redelivery },
  );
  const step = async (): Promise<void> => {
    const Records = await queue.receive(1, 0);
    if (Records.length > 0) await deliver(handler, queue, Records, dies);
    else time.now += 1_000;
  };
  /** Lets the consumer work until the queue is empty. */
  const finish = async (): Promise<void> => {
    while (Object.values(queue.counts()).some((count: number) => count > 0)) await step();
  };
  return { time, send, step, finish, dead: () => sqs.queue(`dead${end}`).counts().visible };
};

type Received = Awaited<ReturnType<DirectQueue['receive']>>;

/** What Lambda does with a batch: deletes the messages that did not fail. */
const deliver = async (
  handler: ReturnType<typeof queueHandler>,
  queue: DirectQueue,
  Records: Received,
  dies: () => boolean,
): Promise<void> => {
  const event: unknown = JSON.parse(sqsEventOf(Records, queue.arn));
  const answer = await handler(event).catch(() => undefined);
  if (!answer || dies()) return;
  const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  for (const { messageId, receiptHandle } of Records) if (!failed.has(messageId)) queue.delete(receiptHandle);
};

const busy = (): never => {
  throw new UnavailableError('table: throttled');
};
const broken = (): never => {
  throw new Error('no');
};

/** Work that meets a busy service this many times, the numbers that it has done, and its attempts. */
const busyFor = (times: number) => {
  const seen = { attempts: 0, done: new Array<number>() };
  const work: Work = ({ n }) => {
    seen.attempts += 1;
    if (seen.attempts <= times) busy();
    seen.done.push(n);
  };
  return { seen, work };
};

describe.each([
  ['a standard queue', false],
  ['an ordered queue', true],
])('a message of %s', (_, isOrdered) => {
  it('that meets a busy service twenty times is processed at last, and never a dead letter', async () => {
    const { seen, work } = busyFor(20);
    const queue = openQueue(isOrdered, work);
    queue.send('{"n":1}');
    await queue.finish();
    expect(seen.done).toEqual([1]);
    expect(queue.dead()).toBe(0);
    // One visibility timeout alone is half an hour.
    expect(queue.time.now).toBeLessThan(VISIBILITY_SECONDS * 1_000);
  });

  it('that never stops meeting a busy service is a dead letter after hours', async () => {
    const queue = openQueue(isOrdered, busy);
    queue.send('{"n":1}');
    await queue.finish();
    expect(queue.dead()).toBe(1);
    const hours = queue.time.now / 3_600_000;
    expect(hours).toBeGreaterThan(limits.queues.busySeconds / 3_600);
    expect(hours).toBeLessThan(limits.queues.busySeconds / 3_600 + 1);
  });

  it('that fails again and again is a dead letter within an hour', async () => {
    let attempts = 0;
    const queue = openQueue(isOrdered, () => {
      attempts += 1;
      broken();
    });
    queue.send('{"n":1}');
    await queue.finish();
    expect(attempts).toBe(maxReceiveCount);
    expect(queue.dead()).toBe(1);
    expect(queue.time.now).toBeLessThan(3_600_000);
  });

  it('whose consumer dies between the copy and the answer comes twice, and is not lost', async () => {
    const { seen, work } = busyFor(3);
    const queue = openQueue(isOrdered, work, () => seen.attempts === 3);
    queue.send('{"n":1}');
    await queue.finish();
    expect(seen.done).toEqual([1, 1]);
    expect(queue.dead()).toBe(0);
  });
});

it('a property whose messages all meet a busy service, and are copied, does not hold up another property', async () => {
  const seen: number[] = [];
  const queue = openQueue(false, ({ n }) => {
    seen.push(n);
    if (n === 1) busy();
  });
  for (let sent = 0; sent < 20; sent += 1) queue.send('{"n":1}', 'property-1');
  // Every message of the first property is on its third receive or later, so some are copies.
  while (seen.length < 80) await queue.step();
  queue.send('{"n":2}', 'property-2');
  while (!seen.includes(2)) await queue.step();
  expect(seen.length).toBeLessThanOrEqual(82);
});
