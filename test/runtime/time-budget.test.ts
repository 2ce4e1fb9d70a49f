import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { forSeconds, timeLeft, untilLastSeconds } from '../../shared/runtime/time-budget.ts';

describe('the time budget of a long job', () => {
  it('ends when the invocation has only its last seconds left', () => {
    let left = 60_001;
    const hasTime = untilLastSeconds({ getRemainingTimeInMillis: () => left }, 60);
    expect(hasTime()).toBe(true);
    left = 60_000;
    expect(hasTime()).toBe(false);
  });

  it('ends a number of seconds after it began', () => {
    let now = 1_000;
    const hasTime = forSeconds(() => now, 10);
    now = 11_000;
    expect(hasTime()).toBe(true);
    now = 11_001;
    expect(hasTime()).toBe(false);
  });

  it('is ample where the context does not say the time left', () => {
    expect(timeLeft({})()).toBeGreaterThan(limits.sizes.lastSeconds * 1_000);
  });
});

it('every margin for clocks and late writes contains the clock skew', () => {
  const { clockSkewSeconds, segments, exports } = limits;
  expect(segments.journalMarginSeconds).toBeGreaterThan(clockSkewSeconds);
  expect(exports.deltaOverlapSeconds).toBeGreaterThan(clockSkewSeconds);
});
