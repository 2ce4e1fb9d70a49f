import { afterEach, describe, expect, it } from 'vitest';
import type { QueueDefinition } from '../../../services/sqs/queue.ts';
import { createSqs, type DirectQueue, type Sqs } from '../../../services/sqs/sqs.ts';

const opened: Sqs[] = [];
afterEach(() => {
  for (const sqs of opened.splice(0)) sqs.close();
});

/** A queue with a visibility timeout of ten seconds, on a clock of its own. */
const create = (more: Partial<QueueDefinition> = {}) => {
  let now = Date.parse('2026-11-23T00:00:00Z');
  const sqs = createSqs({ origin: 'http://127.0.0.1', now: () => now });
  opened.push(sqs);
  sqs.createQueue({ name: 'q', visibilityTimeout: 10, ...more });
  const pass = (seconds: number): void => {
    now += seconds * 1000;
  };
  return { direct: sqs.queue('q'), pass };
};

const send = (queue: DirectQueue, body: string): void =>
  queue.send(body, { groupId: 'g', deduplicationId: body });

describe('a receipt handle', () => {
  it('ends with the next receive of its message', async () => {
    const { direct, pass } = create();
    direct.send('twice');
    const [first] = await direct.receive(1, 0);
    pass(10);
    const [second] = await direct.receive(1, 0);
    direct.delete(first?.receiptHandle ?? '');
    expect(() => direct.changeVisibility(first?.receiptHandle ?? '', 1)).toThrow('not in flight');
    expect(direct.counts()).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
    direct.delete(second?.receiptHandle ?? '');
    expect(direct.counts().inFlight).toBe(0);
  });

  it('only a message in flight can be hidden longer, and for twelve hours after its receive at most', async () => {
    const { direct, pass } = create();
    direct.send('held');
    const [{ receiptHandle } = { receiptHandle: '' }] = await direct.receive(1, 0);
    pass(1);
    expect(() => direct.changeVisibility(receiptHandle, 43_200)).toThrow('beyond the limit [43200 seconds]');
    direct.changeVisibility(receiptHandle, 43_199);
    direct.changeVisibility(receiptHandle, 1);
    pass(1);
    expect(() => direct.changeVisibility(receiptHandle, 10)).toThrow('not in flight');
  });

  it('of a FIFO queue is refused when its message is no longer in flight, and the message stays', async () => {
    const { direct, pass } = create({ fifo: true });
    send(direct, '1');
    const [first] = await direct.receive(1, 0);
    pass(10);
    expect(() => direct.delete(first?.receiptHandle ?? '')).toThrow('The receipt handle has expired');
    const [second] = await direct.receive(1, 0);
    expect(() => direct.delete(first?.receiptHandle ?? '')).toThrow('The receipt handle has expired');
    direct.delete(second?.receiptHandle ?? '');
    direct.delete(second?.receiptHandle ?? '');
    expect(direct.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });
});
