import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { queueHandler, type MessageUseCase } from '../../shared/edge/queue-handler.ts';
import { limits } from '../../shared/config/limits.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { checkDeadline, noteThrottle } from '../../shared/runtime/deadline.ts';
import { logTo } from '../../shared/runtime/log.ts';
import type { Redelivery } from '../../shared/runtime/ports.ts';

const message = v.strictObject({ v: v.literal(1), n: v.number() });
type Message = v.InferOutput<typeof message>;

beforeAll(() => void vi.stubEnv('ENRICHMENTS_QUEUE_URL', 'https://sqs.test/1/q'));
afterAll(() => vi.unstubAllEnvs());

interface Options {
  readonly remaining?: () => number;
  readonly receives?: number;
  readonly isOrdered?: boolean;
  readonly random?: number;
  readonly queue?: Partial<Redelivery>;
  readonly clock?: () => number;
  /** When the messages were copied first. */
  readonly firstCopied?: number;
}

/** Runs a handler on messages `m0`, `m1`, …; returns what the queue is told. */
const run = async (
  bodies: readonly string[],
  useCase: MessageUseCase<undefined, Message>,
  {
    remaining,
    receives = 2,
    isOrdered = false,
    random = 0.5,
    queue = {},
    clock = () => 0,
    firstCopied,
  }: Options = {},
) => {
  const lines: string[] = [];
  const back: (readonly [receipt: string, seconds: number])[] = [];
  const copies: unknown[] = [];
  const redelivery: Redelivery = {
    isOrdered,
    giveBack: (receipt, seconds) => Promise.resolve(void back.push([receipt, seconds])),
    sendCopy: (copy) => Promise.resolve(void copies.push(copy)),
    ...queue,
  };
  const handler = queueHandler(message, useCase, () => undefined, 'ENRICHMENTS_QUEUE_URL', {
    clock,
    random: () => random,
    log: logTo((line) => void lines.push(line)),
    redelivery: () => redelivery,
  });
  const Records = bodies.map((body, index) => ({
    messageId: `m${index}`,
    receiptHandle: `r${index}`,
    body,
    attributes: { ApproximateReceiveCount: `${receives}`, MessageGroupId: 'property-7' },
    messageAttributes: firstCopied === undefined ? {} : { firstCopied: { stringValue: `${firstCopied}` } },
  }));
  const answer = await handler({ Records }, remaining && { getRemainingTimeInMillis: remaining }).catch(
    (thrown: unknown) => thrown,
  );
  const failed = v.safeParse(
    v.object({ batchItemFailures: v.array(v.object({ itemIdentifier: v.string() })) }),
    answer,
  );
  return {
    failed: failed.success && failed.output.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    thrown: answer instanceof Error,
    log: lines.join(''),
    back,
    copies,
  };
};

const one = ['{"v":1,"n":0}'];
const two = ['{"v":1,"n":0}', '{"v":1,"n":1}'];
const throttle = () => Promise.reject(Object.assign(new Error('slow down'), { name: 'ThrottlingException' }));
const bug = () => Promise.reject(new Error('no'));

/** Runs a handler on a message, received for the third time, whose work takes all of its time and does this first. */
const runToTheEnd = (first: () => void) => {
  let now = 0;
  const slow = () => {
    first();
    now = 60_000;
    checkDeadline();
    return Promise.resolve();
  };
  return run(one, slow, { receives: 3, remaining: () => 60_000 - now, clock: () => now });
};

it('the queue handler processes each message by itself and reports the failed messages', async () => {
  const seen: unknown[] = [];
  const { failed, log } = await run(
    ['{"v":1,"n":0}', '{"v":1,"n":1}', '{"v":1,"n":2}'],
    async (_, { n }, about) => {
      if (n === 1) throw new Error('no');
      seen.push([n, about.messageId, about.receiveCount]);
      return Promise.resolve();
    },
  );
  expect(seen).toEqual([
    [0, 'm0', 2],
    [2, 'm2', 2],
  ]);
  expect(failed).toEqual(['m1']);
  expect(log).toContain('"message.failed"');
});

it.each(['', 'no json', '[]', 'null', '{"v":2,"n":1}', '{"v":1}', '{"v":1,"n":1,"x":"canary"}'])(
  'the queue handler returns the message %j to the queue instead of dropping it',
  async (body) => {
    const { failed, log } = await run([body, '{"v":1,"n":1}'], () => Promise.resolve());
    expect(failed).toEqual(['m0']);
    expect(log).toContain('"message.unknown"');
    expect(log).not.toContain('canary');
  },
);

it('the queue handler starts no message that it cannot finish in time', async () => {
  let left = 30_000;
  const { failed, back } = await run(
    ['{"v":1,"n":0}', '{"v":1,"n":1}', '{"v":1,"n":2}'],
    () => {
      left -= 9_000;
      return Promise.resolve();
    },
    { remaining: () => left },
  );
  expect(failed).toEqual(['m2']);
  expect(back).toEqual([['r2', 75]]);
});

it('the queue handler throws on an event that SQS cannot have sent', async () => {
  const handler = queueHandler(
    message,
    () => Promise.resolve(),
    () => undefined,
    'ENRICHMENTS_QUEUE_URL',
  );
  await expect(handler({ nothing: true })).rejects.toThrow();
});

describe('a message that meets a busy service', () => {
  it.each([
    [false, [30, 75, 120]],
    [true, [10, 35, 60]],
  ])('comes back soon, and later than its siblings by chance: ordered %s', async (isOrdered, seconds) => {
    const given = await Promise.all(
      [0, 0.5, 1].map(async (random) => (await run(one, throttle, { isOrdered, random })).back),
    );
    expect(given.flat()).toEqual(seconds.map((after) => ['r0', after]));
  });

  it('is replaced by a copy from its third receive on, and then counts as done', async () => {
    for (const receives of [3, 4, 5]) {
      const { failed, back, copies, thrown } = await run(one, throttle, { receives });
      expect({ failed, back, thrown }).toEqual({ failed: [], back: [], thrown: false });
      expect(copies).toEqual([{ body: one[0], group: 'property-7', firstCopied: 0 }]);
    }
  });

  it('stays when its copy cannot be sent', async () => {
    const { failed, log } = await run(one, throttle, { receives: 3, queue: { sendCopy: throttle } });
    expect(failed).toEqual(['m0']);
    expect(log).toContain('"message.kept"');
  });

  it('comes back although the queue does not take the new time', async () => {
    const { failed } = await run(one, throttle, { queue: { giveBack: throttle } });
    expect(failed).toEqual(['m0']);
  });

  it('makes no error line, and no error of the invocation', async () => {
    const { log, thrown } = await run(two, throttle);
    expect(thrown).toBe(false);
    expect(log).toContain('"message.postponed"');
    expect(log).not.toContain('"level":"error"');
  });

  it('is known by the throttles of its table, even when it ends for want of time', async () => {
    expect((await runToTheEnd(noteThrottle)).copies).toHaveLength(1);
  });

  it('passes the knowledge not on to the next message', async () => {
    const { copies, failed } = await run(
      two,
      (_, { n }) => {
        if (n === 0) noteThrottle();
        throw n === 0 ? new UnavailableError('throttled') : new Error('no');
      },
      { receives: 3 },
    );
    expect(copies).toHaveLength(1);
    expect(failed).toEqual(['m1']);
  });
});

describe('a copy of a message', () => {
  const { busySeconds, maxReceiveCount } = limits.queues;
  const at = (seconds: number, receives: number) =>
    run(one, throttle, { receives, firstCopied: 1_000, clock: () => 1_000 + seconds * 1_000 });

  it('passes on the time of the first copy, and its log line has its age', async () => {
    const { copies, log } = await at(busySeconds - 1, 3);
    expect(copies).toEqual([{ body: one[0], group: 'property-7', firstCopied: 1_000 }]);
    expect(log).toContain('"message.postponed"');
    expect(log).toContain(`"seconds":${busySeconds - 1}`);
  });

  it('counts as failed when it meets a busy service hours after the first copy', async () => {
    const { copies, log, failed, thrown } = await at(busySeconds, 3);
    expect({ copies, failed, thrown }).toEqual({ copies: [], failed: false, thrown: true });
    expect(log).toContain('"message.failed"');
  });

  it.each([
    ['busy, soon', throttle, busySeconds - 1, maxReceiveCount, false],
    ['busy, after hours', throttle, busySeconds, maxReceiveCount, true],
    ['busy, after hours, at an earlier receive', throttle, busySeconds, maxReceiveCount - 1, false],
    ['a bug', bug, 0, maxReceiveCount, true],
    ['a bug, at an earlier receive', bug, 0, maxReceiveCount - 1, false],
  ] as const)(
    'tells its use case whether it is the last one: %s',
    async (_, fail, seconds, receives, expected) => {
      const told: boolean[] = [];
      const useCase: MessageUseCase<undefined, Message> = async (_deps, _message, { isLast }) => {
        await fail().catch((error: unknown) => told.push(isLast(error)));
      };
      await run(one, useCase, { receives, firstCopied: 0, clock: () => seconds * 1_000 });
      expect(told).toEqual([expected]);
    },
  );
});

describe('a message that fails for another reason', () => {
  it('comes back after pauses that grow', async () => {
    const pauses = async (isOrdered: boolean): Promise<readonly number[]> => {
      const seconds = [1, 2, 3, 4].map(async (receives) => {
        const { back } = await run(one, bug, { receives, isOrdered, random: 1 });
        return back.map(([, after]) => after);
      });
      return (await Promise.all(seconds)).flat();
    };
    expect(await pauses(false)).toEqual([30, 120, 480, 1_800]);
    expect(await pauses(true)).toEqual([10, 40, 60, 60]);
  });

  it('uses up its receives: no copy is sent', async () => {
    expect((await run(one, bug, { receives: 5 })).copies).toEqual([]);
  });

  it('for want of time without a throttle uses up its receives', async () => {
    const { copies, thrown } = await runToTheEnd(() => undefined);
    expect({ copies, thrown }).toEqual({ copies: [], thrown: true });
  });

  it('together with all others is an error of the invocation, after all have their new times', async () => {
    const { thrown, back } = await run(two, bug);
    expect(thrown).toBe(true);
    expect(back).toHaveLength(2);
  });

  it('is no error of the invocation when another message is done', async () => {
    const { thrown } = await run(two, (_, { n }) => (n === 0 ? bug() : Promise.resolve()));
    expect(thrown).toBe(false);
  });
});
