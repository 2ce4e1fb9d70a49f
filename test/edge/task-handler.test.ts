import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { noteThrottle, LAST_MILLISECONDS } from '../../shared/runtime/deadline.ts';
import { logTo } from '../../shared/runtime/log.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';

const throttled = () =>
  Object.assign(new Error('slow down'), { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } });

/** Runs a task that does this first and throws; returns the error that the caller sees and the logged lines. */
const thrown = async (
  error: Error,
  { first = () => undefined, left = 20_000 }: { first?: () => void; left?: number } = {},
) => {
  const lines: unknown[] = [];
  const handler = taskHandler(
    v.object({}),
    () => {
      first();
      return Promise.reject(error);
    },
    () => undefined,
    logTo((line) => void lines.push(JSON.parse(line))),
  );
  const told: unknown = await handler({}, { getRemainingTimeInMillis: () => left }).then(
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
    expect(lines).toMatchObject([{ code: 'task.postponed', error: { name: 'ThrottlingException' } }]);
  });

  it('a bug reaches the workflow unchanged', async () => {
    const error = new RangeError('out of reach');
    expect((await thrown(error)).told).toBe(error);
  });

  const outOfTime = new UnavailableError('the time for this work is over');

  it('a task that runs out of its own time does not count as a temporary failure', async () => {
    expect((await thrown(outOfTime, { left: LAST_MILLISECONDS })).told).toMatchObject({ name: 'Error' });
  });

  it('a task that runs out of its time because a table throttled it counts as a temporary failure', async () => {
    expect((await thrown(outOfTime, { first: noteThrottle, left: LAST_MILLISECONDS })).told).toMatchObject({
      name: 'UnavailableError',
    });
  });
});
