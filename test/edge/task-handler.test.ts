import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { logTo } from '../../shared/runtime/log.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';

const throttled = () =>
  Object.assign(new Error('slow down'), { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } });

/** A task that throws; what its caller is told, and what is logged. */
const thrown = async (error: Error, remaining: readonly number[] = [1_000]) => {
  const lines: unknown[] = [];
  const handler = taskHandler(
    { trigger: { kind: 'workflow' }, access: [] },
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

describe('a task that fails', () => {
  it('names trouble that passes by itself as the workflows know it, and logs the error itself', async () => {
    const error = throttled();
    const { told, lines } = await thrown(error);
    expect(told).toMatchObject({ name: 'UnavailableError', cause: error });
    expect(lines).toMatchObject([{ code: 'task.failed', error: { name: 'ThrottlingException' } }]);
  });

  it('throws a bug on as it is', async () => {
    const error = new RangeError('out of reach');
    expect((await thrown(error)).told).toBe(error);
  });

  it('does not take the end of its own time for trouble that passes', async () => {
    expect((await thrown(throttled(), [0])).told).toMatchObject({ name: 'Error', cause: throttled() });
  });
});
