import { describe, expect, it } from 'vitest';
import { coldStartMs, createLatency } from '../../core/latency.ts';

const CALLS = 20_000;
const timesOf = (service: string, seed = 1, range = { p50: 4, p99: 10 }): number[] => {
  const latency = createLatency(range, seed);
  return Array.from({ length: CALLS }, () => latency.call(service, 'caller', 'action'));
};
const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((left, right) => left - right)[Math.floor(times.length * share)] ?? NaN;

describe('the latency of AWS calls', () => {
  it.each([
    ['dynamodb', 4, 10],
    ['s3', 20, 60],
    ['sqs', 8, 20],
    ['kms', 8, 20],
  ])('has the median and the 99th percentile of %s: %d and %d ms', (service, p50, p99) => {
    const times = timesOf(service);
    expect(percentile(times, 0.5) / p50).toBeCloseTo(1, 1);
    expect(percentile(times, 0.99) / p99).toBeCloseTo(1, 1);
    expect(Math.min(...times)).toBeGreaterThan(0);
    expect(Math.max(...times)).toBeLessThan(p99 * 5);
  });

  it('is the same for the same seed, and another for another seed', () => {
    expect(timesOf('sqs', 7)).toEqual(timesOf('sqs', 7));
    expect(timesOf('sqs', 7)).not.toEqual(timesOf('sqs', 8));
  });

  it('does not depend on the calls of others', () => {
    const [alone, beside] = [createLatency({ p50: 4, p99: 10 }, 1), createLatency({ p50: 4, p99: 10 }, 1)];
    beside.call('dynamodb', 'other', 'action');
    expect(beside.call('dynamodb', 'caller', 'action')).toBe(alone.call('dynamodb', 'caller', 'action'));
  });

  it('is constant when the median and the 99th percentile are equal', () => {
    expect(new Set(timesOf('dynamodb', 1, { p50: 7, p99: 7 }))).toEqual(new Set([7]));
  });
});

describe('a cold start', () => {
  it('takes longer with a larger bundle', () => {
    expect(coldStartMs(0)).toBe(400);
    expect(coldStartMs(1024 * 1024)).toBe(912);
  });
});
