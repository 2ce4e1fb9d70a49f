import { describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { httpHandler } from '../../shared/edge/http-handler.ts';
import { queueHandler } from '../../shared/edge/queue-handler.ts';
import { isUnavailable } from '../../shared/runtime/aws-errors.ts';
import { ok } from '../../shared/runtime/result.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { redelivery } from '../../shared/runtime/sqs-queue.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { apiEvent } from '../support/api-event.ts';
import { fenced } from '../support/fenced.ts';
import { MemoryTable } from '../support/memory-table.ts';

const key = { pk: 'P#7#X', sk: 'x' };

/** A handler that writes before and after a point in time that the test chooses. */
const writing = () => {
  const items = new MemoryTable();
  const table = fenced(items);
  let goOn: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (goOn = resolve));
  let end: (error: unknown) => void = () => undefined;
  const ended = new Promise<unknown>((resolve) => (end = resolve));
  const work = async (): Promise<void> => {
    await table.put({ ...key, sk: 'before' }, {});
    await told;
    await table.put({ ...key, sk: 'after' }, {}).then(() => end(undefined), end);
  };
  return { work, goOn, ended, stored: () => items.items().map(({ sk }) => sk) };
};

const around = { clock: () => 0, ids: systemIds, log: () => undefined };
const queueRuntime = { ...around, random: () => 0, redelivery: () => redelivery('http://sqs.test/1/q') };
const answer = ok({ status: 204 });

describe('a function that has sent its answer', () => {
  it('a route that timed out writes nothing after its own answer', async () => {
    const { work, goOn, ended, stored } = writing();
    const handler = httpHandler('POST x', around, async () => {
      await work();
      return answer;
    });
    const given = await handler(apiEvent({ method: 'POST' }), { getRemainingTimeInMillis: () => 701 });
    expect(given.statusCode).toBe(503);
    goOn();
    expect(isUnavailable(await ended)).toBe(true);
    expect(stored()).toEqual(['before']);
  });

  it('a route writes nothing after its answer', async () => {
    const { work, goOn, ended, stored } = writing();
    const handler = httpHandler('POST x', around, () => {
      void work();
      return Promise.resolve(answer);
    });
    expect((await handler(apiEvent({ method: 'POST' }))).statusCode).toBe(204);
    goOn();
    expect(isUnavailable(await ended)).toBe(true);
    expect(stored()).toEqual(['before']);
  });

  const message = { messageId: 'm', receiptHandle: 'r', body: '{}' };
  const functions = (begin: () => Promise<void>) => ({
    'a function of a queue': () =>
      queueHandler(
        v.object({}),
        begin,
        () => undefined,
        'DRAINS_QUEUE_URL',
        queueRuntime,
      )({
        Records: [message],
      }),
    'a task of a workflow': () => taskHandler(v.object({}), begin, () => undefined, around.log)({}),
    'a function of a schedule': () => withinInvocation(begin)({}),
  });
  it.each(Object.keys(functions(() => Promise.resolve())))('%s', async (name) => {
    const { work, goOn, ended, stored } = writing();
    const begin = (): Promise<void> => {
      void work();
      return Promise.resolve();
    };
    const byName = new Map<string, () => Promise<unknown>>(Object.entries(functions(begin)));
    vi.stubEnv('DRAINS_QUEUE_URL', 'http://sqs.test/1/q');
    await byName.get(name)?.();
    vi.unstubAllEnvs();
    goOn();
    expect(isUnavailable(await ended)).toBe(true);
    expect(stored()).toEqual(['before']);
  });

  it('a route writes nothing when Lambda is about to end the invocation', async () => {
    let left = 1_000;
    let now = 0;
    const table = fenced(new MemoryTable());
    const handler = httpHandler('POST x', { ...around, clock: () => now }, async () => {
      await table.put(key, {});
      [now, left] = [301, left - 301];
      await table.put(key, {});
      return answer;
    });
    const given = await handler(apiEvent({ method: 'POST' }), { getRemainingTimeInMillis: () => left });
    expect(given.statusCode).toBe(503);
  });
});
