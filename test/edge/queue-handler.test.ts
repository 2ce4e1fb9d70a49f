import { expect, it } from 'vitest';
import * as v from 'valibot';
import { queueHandler, type MessageUseCase } from '../../shared/edge/queue-handler.ts';
import { logTo } from '../../shared/runtime/log.ts';

const message = v.strictObject({ v: v.literal(1), n: v.number() });
type Message = v.InferOutput<typeof message>;

const run = async (
  bodies: readonly string[],
  useCase: MessageUseCase<undefined, Message>,
  remaining?: () => number,
): Promise<{ failed: readonly string[]; log: string }> => {
  const lines: string[] = [];
  const handler = queueHandler(message, useCase, () => undefined, {
    log: logTo((line) => void lines.push(line)),
  });
  const Records = bodies.map((body, index) => ({
    messageId: `m${index}`,
    body,
    attributes: { ApproximateReceiveCount: '2' },
  }));
  const answer = await handler({ Records }, remaining && { getRemainingTimeInMillis: remaining });
  return {
    failed: answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    log: lines.join(''),
  };
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
  let left = 20_000;
  const { failed } = await run(
    ['{"v":1,"n":0}', '{"v":1,"n":1}', '{"v":1,"n":2}'],
    () => {
      left -= 9_000;
      return Promise.resolve();
    },
    () => left,
  );
  expect(failed).toEqual(['m2']);
});

it('the queue handler throws on an event that SQS cannot have sent', async () => {
  const handler = queueHandler(
    message,
    () => Promise.resolve(),
    () => undefined,
  );
  await expect(handler({ nothing: true })).rejects.toThrow();
});
