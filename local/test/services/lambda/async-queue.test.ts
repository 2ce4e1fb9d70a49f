import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/service-error.ts';
import { invokeAsync, REAL_WAITS } from '../../../services/lambda/async-queue.ts';
import type { Outcome } from '../../../services/lambda/outcome.ts';

const ok: Outcome = { ok: true, payload: '1' };
const failed: Outcome = { ok: false, failure: { errorType: 'Error', errorMessage: 'it broke' } };

/** Invokes with one answer after the other; the last answer repeats. Records the waits, in seconds. */
const run = async (...answers: readonly (Outcome | 'throttle')[]) => {
  const waits: number[] = [];
  let calls = 0;
  const outcome = await invokeAsync(
    async () => {
      const answer = answers[Math.min(calls, answers.length - 1)] ?? ok;
      calls += 1;
      if (answer === 'throttle') throw new ServiceError('TooManyRequestsException', 'Rate Exceeded.', 429);
      return Promise.resolve(answer);
    },
    REAL_WAITS,
    async (ms) => {
      waits.push(ms / 1000);
      return Promise.resolve();
    },
  );
  return { outcome, waits, calls };
};

// Lambda Developer Guide, "How Lambda handles errors and retries with asynchronous invocation".
describe('an asynchronous invocation', () => {
  it('whose function fails is tried again after one minute and after two', async () => {
    expect(await run(failed)).toEqual({ outcome: failed, waits: [60, 120], calls: 3 });
    expect(await run(failed, ok)).toEqual({ outcome: ok, waits: [60], calls: 2 });
  });

  it('that is throttled waits from one second up to five minutes, and keeps its attempts', async () => {
    const throttles = Array.from({ length: 11 }, () => 'throttle' as const);
    const { waits, outcome } = await run(...throttles, failed, 'throttle', failed, failed);
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 60, 1, 120]);
    expect(outcome).toEqual(failed);
  });

  it('is discarded after six hours of throttles', async () => {
    const { outcome, waits } = await run('throttle');
    expect(outcome).toMatchObject({ ok: false, failure: { errorType: 'EventAgeExceeded' } });
    const total = waits.reduce((sum, seconds) => sum + seconds, 0);
    expect(total).toBeGreaterThan(6 * 3_600 - 300);
    expect(total).toBeLessThanOrEqual(6 * 3_600);
  });

  it('passes on other errors', async () => {
    const broken = invokeAsync(
      () => Promise.reject(new TypeError('bug')),
      REAL_WAITS,
      () => Promise.resolve(),
    );
    await expect(broken).rejects.toThrow('bug');
  });
});
