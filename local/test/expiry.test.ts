import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startExpiry } from '../cloud/expiry.ts';

const START = Date.parse('2026-11-28T06:00:00Z');
const HOUR_MS = 3_600_000;
beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

it('everything expires at the start and each hour until the end, also after a failure, which is told', async () => {
  const times: number[] = [];
  const problems: string[] = [];
  const expire = async (now: number): Promise<void> => {
    times.push(now);
    await Promise.resolve();
    if (times.length === 1) throw new Error('the disk is full');
  };
  const stop = startExpiry(expire, Date.now, (problem) => void problems.push(problem));
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  stop();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(times).toEqual([START, START + HOUR_MS, START + 2 * HOUR_MS]);
  expect(problems).toEqual(['the expiry failed: Error: the disk is full']);
});
