import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { logTo } from '../../shared/runtime/log.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';

const throttled = () =>
  Object.assign(new Error('slow down'), { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } });

/** Runs a task that throws; returns the error that the caller sees and the logged lines. */
const thrown = async (error: Error, remaining: readonly number[] = [1_000]) => {
  const lines: unknown[] = [];
  const handler = taskHandler(
    v.object({}),
    () => Promise.reject(error),
    () => undefined,
    logTo((line) => void lines.push(JSON.parse(line))),
  );
  const left = [...remaining];
  const told: unknown = await handler({}, { getRemainingTimeInMillis: () => left.shift() ?? 0 }).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  return { told, lines };
};

describe('a failing workflow task', () => {
  it('a temporary failure is renamed to the error that the workflows retry, and the original error is logged', async () => {
    const error = throttled();
    const { told, lines } = await thrown(error);
    expect(told).toMatchObject({ name: 'UnavailableError', cause: error });
    expect(lines).toMatchObject([{ code: 'task.failed', error: { name: 'ThrottlingException' } }]);
  });

  it('a bug reaches the workflow unchanged', async () => {
    const error = new RangeError('out of reach');
    expect((await thrown(error)).told).toBe(error);
  });

  it('a task that runs out of its own time does not count as a temporary failure', async () => {
    expect((await thrown(throttled(), [0])).told).toMatchObject({ name: 'Error', cause: throttled() });
  });
});
