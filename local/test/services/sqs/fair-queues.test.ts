import { describe, expect, it } from 'vitest';
import { createSqs, type DirectQueue } from '../../../services/sqs/sqs.ts';

/* The behaviour of fair queues in the SQS Developer Guide, "How Amazon SQS fair queues work". */
const create = () => {
  let now = 1_000_000;
  const sqs = createSqs({ origin: 'http://localhost', now: () => now });
  sqs.createQueue({ name: 'fair', visibilityTimeout: 3_600 });
  return {
    queue: sqs.queue('fair'),
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
  };
};

const send = (queue: DirectQueue, groupId: string | undefined, count: number): void => {
  for (let index = 1; index <= count; index += 1)
    queue.send(`${groupId ?? 'none'}${index}`, groupId === undefined ? {} : { groupId });
};

/** Takes messages one by one and leaves them in flight; returns their bodies and receipts. */
const take = async (queue: DirectQueue, count: number) => {
  const taken = [];
  for (let index = 0; index < count; index += 1) taken.push(...(await queue.receive(1, 0)));
  return taken;
};
const bodies = async (queue: DirectQueue, count: number) =>
  (await take(queue, count)).map(({ body }) => body);

/** Takes one message, works on it for the given time, and deletes it. */
const work = async ({ queue, pass }: ReturnType<typeof create>, seconds: number): Promise<string> => {
  const [message] = await queue.receive(1, 0);
  pass(seconds);
  if (message) queue.delete(message.receiptHandle);
  return message?.body ?? '';
};

describe('a noisy neighbor by messages in flight', () => {
  it('messages of quiet groups come before its own, though they were sent later', async () => {
    const { queue } = create();
    send(queue, 'a', 100);
    await take(queue, 30);
    send(queue, 'b', 2);
    expect(await bodies(queue, 3)).toEqual(['b1', 'b2', 'a31']);
  });

  it('with fewer than 30 messages in flight no tenant is a noisy neighbor', async () => {
    const { queue } = create();
    send(queue, 'a', 100);
    await take(queue, 29);
    send(queue, 'b', 1);
    expect(await bodies(queue, 1)).toEqual(['a30']);
  });

  it('of several noisy neighbors, the tenant with the fewest messages in flight comes first', async () => {
    const { queue } = create();
    send(queue, 'a', 80);
    await take(queue, 40);
    send(queue, 'b', 60);
    // `b` is quiet up to its 30th message in flight, then noisy beside `a`, which has 40.
    expect((await bodies(queue, 40)).every((body) => body.startsWith('b'))).toBe(true);
    const both = await bodies(queue, 10);
    expect(both.filter((body) => body.startsWith('a'))).toHaveLength(5);
  });
});

describe('a noisy neighbor by processing time', () => {
  it('one long message at a time makes a tenant a noisy neighbor', async () => {
    const harness = create();
    send(harness.queue, 'a', 10);
    for (let time = 0; time < 3; time += 1) await work(harness, 1);
    send(harness.queue, 'b', 1);
    expect(await work(harness, 1)).toBe('b1');
    expect(await work(harness, 1)).toBe('a4');
  });

  it('a noisy neighbor is quiet again once its backlog is consumed', async () => {
    const harness = create();
    send(harness.queue, 'a', 2);
    await work(harness, 10);
    await work(harness, 10);
    send(harness.queue, 'a', 1);
    send(harness.queue, 'b', 1);
    expect(await work(harness, 1)).toBe('a1');
  });

  it('a noisy neighbor is quiet again after five minutes with nothing in flight', async () => {
    const harness = create();
    send(harness.queue, 'a', 3);
    await work(harness, 10);
    send(harness.queue, 'b', 1);
    harness.pass(299);
    expect(await bodies(harness.queue, 1)).toEqual(['b1']);
    send(harness.queue, 'b', 1);
    harness.pass(1);
    expect(await bodies(harness.queue, 1)).toEqual(['a2']);
  });
});

it('a message without a group is a tenant of its own, and quiet', async () => {
  const { queue } = create();
  send(queue, 'a', 100);
  await take(queue, 30);
  send(queue, undefined, 40);
  expect(await bodies(queue, 41)).toEqual([
    ...Array.from({ length: 40 }, (_, index) => `none${index + 1}`),
    'a31',
  ]);
});

it('messages of a noisy neighbor are received when no other tenant has any', async () => {
  const { queue } = create();
  send(queue, 'a', 100);
  expect(await bodies(queue, 100)).toHaveLength(100);
});
