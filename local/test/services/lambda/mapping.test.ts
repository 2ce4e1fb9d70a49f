import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/service-error.ts';
import { createConcurrency } from '../../../services/lambda/concurrency.ts';
import { startMapping, type Mapping } from '../../../services/lambda/mapping.ts';
import type { Outcome } from '../../../services/lambda/outcome.ts';
import { createSqs, type DirectQueue, type Sqs } from '../../../services/sqs/sqs.ts';

const Event = v.object({
  Records: v.array(
    v.looseObject({
      messageId: v.string(),
      receiptHandle: v.string(),
      body: v.string(),
      attributes: v.looseObject({ ApproximateReceiveCount: v.string() }),
    }),
  ),
});
type Batch = v.InferOutput<typeof Event>['Records'];

const ok = (answer: unknown = null): Outcome => ({ ok: true, payload: JSON.stringify(answer) });
const failed: Outcome = { ok: false, failure: { errorType: 'Error', errorMessage: 'it broke' } };
const failuresOf = (...messages: Batch) => ({
  batchItemFailures: messages.map(({ messageId }) => ({ itemIdentifier: messageId })),
});

interface Options {
  readonly batchSize?: number;
  readonly reportsFailures?: boolean;
  readonly denied?: string;
  readonly realVisibility?: boolean;
  readonly firstReturnMs?: number;
  /** Invocations that are throttled before the function answers. */
  readonly throttles?: number;
  /** Answers a batch from this queue. */
  readonly answer: (batch: Batch, queue: DirectQueue) => Outcome | Promise<Outcome>;
}

const mappings: Mapping[] = [];
const services: Sqs[] = [];
afterEach(async () => {
  for (const mapping of mappings.splice(0)) await mapping.stop();
  for (const sqs of services.splice(0)) sqs.close();
});

/** Sends messages, runs a mapping until its function has answered a batch, and returns the queue after the batch. */
const runBatch = async (bodies: readonly string[], options: Options) => {
  let now = Date.now();
  const sqs = createSqs({ origin: 'http://127.0.0.1', now: () => now });
  services.push(sqs);
  sqs.createQueue({ name: 'q', visibilityTimeout: 900 });
  const queue = sqs.queue('q');
  for (const body of bodies) queue.send(body);
  const answered = Promise.withResolvers<Batch>();
  const pauses: number[] = [];
  const mapping = startMapping({
    queue,
    functionName: 'f',
    batchSize: options.batchSize ?? 10,
    windowMs: 0,
    width: { first: 1, most: 1 },
    reportsFailures: options.reportsFailures ?? true,
    realVisibility: options.realVisibility ?? false,
    firstReturnMs: options.firstReturnMs,
    invoke: async (event) => {
      const batch = v.parse(Event, JSON.parse(event)).Records;
      if (pauses.length < (options.throttles ?? 0)) throw throttle();
      answered.resolve(batch);
      return options.answer(batch, queue);
    },
    authorize: (action) => {
      if (action === options.denied) throw new ServiceError('AccessDenied', 'denied', 403);
    },
    pause: (ms) => {
      pauses.push(ms);
      now += ms;
      return Promise.resolve();
    },
  });
  mappings.push(mapping);
  const batch = await answered.promise;
  await mapping.stop();
  const receiveAfter = async (seconds: number): Promise<number> => {
    now += seconds * 1000;
    return (await queue.receive(10, 0)).length;
  };
  return { batch, queue, pauses, left: leftIn(queue), receiveAfter };
};

/** Lambda's throttle. */
const throttle = (): unknown => {
  try {
    createConcurrency({ account: 0, reserved: new Map() }).enter('f');
    return undefined;
  } catch (error) {
    return error;
  }
};

/** The number of messages that the function has not finished. */
const leftIn = (queue: DirectQueue): number => {
  const { visible, inFlight, delayed } = queue.counts();
  return visible + inFlight + delayed;
};

describe('a batch', () => {
  it('has the messages as records of an SQS event, and is deleted when the function succeeds', async () => {
    const { batch, queue, left } = await runBatch(['a', 'b'], { answer: () => ok() });
    expect(batch).toEqual([
      expect.objectContaining({ body: 'a', eventSource: 'aws:sqs', awsRegion: 'us-east-1' }),
      expect.objectContaining({ body: 'b', eventSourceARN: queue.arn }),
    ]);
    expect(left).toBe(0);
  });

  // Lambda Developer Guide, "Reporting batch item failures": the conditions of complete success and complete failure.
  it.each<[string, (batch: Batch) => Outcome, number]>([
    ['null', () => ok(null), 0],
    ['an empty text', () => ok(''), 0],
    ['an object without failures', () => ok({}), 0],
    ['an empty list of failures', () => ok({ batchItemFailures: [] }), 0],
    ['a null list of failures', () => ok({ batchItemFailures: null }), 0],
    ['one failure', (batch) => ok(failuresOf(...batch.slice(0, 1))), 1],
    ['all failures', (batch) => ok(failuresOf(...batch)), 3],
    ['an unknown id', () => ok({ batchItemFailures: [{ itemIdentifier: 'unknown' }] }), 3],
    ['a failure without an id', () => ok({ batchItemFailures: [{}] }), 3],
    ['a null id', () => ok({ batchItemFailures: [{ itemIdentifier: null }] }), 3],
    ['an error', () => failed, 3],
  ])('whose function reports failures and answers %s keeps the failed messages', async (_, answer, left) => {
    expect((await runBatch(['a', 'b', 'c'], { answer })).left).toBe(left);
  });

  it.each<[string, (batch: Batch) => Outcome, number]>([
    ['any answer', (batch) => ok(failuresOf(...batch)), 0],
    ['an error', () => failed, 3],
  ])('whose function reports no failures succeeds or fails as a whole: %s', async (_, answer, left) => {
    const options = { answer, reportsFailures: false };
    expect((await runBatch(['a', 'b', 'c'], options)).left).toBe(left);
  });

  it.each<[string, Options['answer']]>([
    ['answers an error', () => failed],
    ['throws', () => Promise.reject(new Error('the worker is gone'))],
  ])('whose invocation %s is visible again after a second', async (_, answer) => {
    const { receiveAfter } = await runBatch(['a', 'b'], { answer });
    expect(await receiveAfter(0.9)).toBe(0);
    expect(await receiveAfter(0.1)).toBe(2);
  });

  it('has at most the batch size of messages, also above the ten of one receive', async () => {
    const bodies = Array.from({ length: 15 }, (_, index) => String(index));
    const { batch } = await runBatch(bodies, { batchSize: 12, answer: () => ok() });
    expect(batch).toHaveLength(12);
  });

  it('stays in flight when the role may not delete messages', async () => {
    const { receiveAfter } = await runBatch(['a'], { answer: () => ok(), denied: 'sqs:DeleteMessage' });
    expect(await receiveAfter(899)).toBe(0);
    expect(await receiveAfter(1)).toBe(1);
  });
});

/** Hides each message of a batch for so long, as a function does with ChangeMessageVisibility. */
const hide = (batch: Batch, queue: DirectQueue, seconds: number): void => {
  for (const { receiptHandle } of batch) queue.changeVisibility(receiptHandle, seconds);
};

describe('with real visibility, a failed message', () => {
  const realVisibility = true;

  it('stays invisible until the visibility timeout of its queue', async () => {
    const { receiveAfter } = await runBatch(['a'], { realVisibility, answer: () => failed });
    expect(await receiveAfter(899)).toBe(0);
    expect(await receiveAfter(1)).toBe(1);
  });

  it('returns when its function said with ChangeMessageVisibility', async () => {
    const answer: Options['answer'] = (batch, queue) => {
      hide(batch, queue, 30);
      return ok(failuresOf(...batch));
    };
    const { receiveAfter } = await runBatch(['a'], { realVisibility, answer });
    expect(await receiveAfter(29)).toBe(0);
    expect(await receiveAfter(1)).toBe(1);
  });
});

it('without real visibility, a failed message returns within seconds, or earlier if its function said so', async () => {
  const after = async (seconds: number, wait: number): Promise<number> => {
    const answer: Options['answer'] = (batch, queue) => {
      hide(batch, queue, seconds);
      return failed;
    };
    return (await runBatch(['a'], { answer })).receiveAfter(wait);
  };
  expect(await after(0, 0)).toBe(1);
  expect(await after(0.5, 0.5)).toBe(1);
  expect(await after(600, 0.9)).toBe(0);
  expect(await after(600, 1)).toBe(1);
});

it('a failed message returns for the first time when the options say', async () => {
  const { receiveAfter } = await runBatch(['a'], { firstReturnMs: 20, answer: () => failed });
  expect(await receiveAfter(0.019)).toBe(0);
  expect(await receiveAfter(0.001)).toBe(1);
});

// Lambda Developer Guide, "Backoff strategy for failed invocations".
describe('a throttled batch', () => {
  it('is tried again, later each time, and counts as one receive', async () => {
    const { batch, pauses, left } = await runBatch(['a'], { throttles: 6, answer: () => ok() });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(batch[0]?.attributes.ApproximateReceiveCount).toBe('1');
    expect(left).toBe(0);
  });

  it('is dropped at the visibility timeout, and received again', async () => {
    // The waits reach the 900 seconds of the visibility timeout with the 93rd.
    const { batch, left } = await runBatch(['a'], { throttles: 93, answer: () => ok() });
    expect(batch[0]?.attributes.ApproximateReceiveCount).toBe('2');
    expect(left).toBe(0);
  });
});
