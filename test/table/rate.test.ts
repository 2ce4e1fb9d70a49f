import { describe, expect, it } from 'vitest';
import {
  afterServed,
  afterThrottled,
  unboundedRate,
  unitsPerSecond,
  waitOf,
} from '../../shared/table/rate-control.ts';
import { seeded } from '../ingest/interleave.ts';
import { simulate } from './simulated-processes.ts';

/** Random numbers from 0 to 1 by a fixed seed. */
const random = (): (() => number) => {
  const choose = seeded(7);
  return () => choose(1_000) / 1_000;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe('processes that write as fast as they can', () => {
  it.each([
    [200, 1],
    [200, 2],
    [200, 10],
    [4_000, 2],
    [20_000, 5],
  ])('use a table of %i units a second: %i processes', (units, processes) => {
    const { served, offered, waits } = simulate({
      capacity: () => units,
      processes,
      seconds: 40,
      random: random(),
      lookupEvery: 200,
    });
    // At least 80 % of the units, and a single write of another caller waits no longer than a second.
    expect(sum(served)).toBeGreaterThan(0.8 * offered);
    expect(waits).toHaveLength(200);
    expect(waits[Math.floor(waits.length * 0.99)]).toBeLessThan(1_000);
    // No process starves beside the others.
    expect(Math.min(...served)).toBeGreaterThan(0.1 * (sum(served) / processes));
  });

  it('use what a growing table gives them', () => {
    const { bySecond } = simulate({
      capacity: (now) => (now < 20_000 ? 4_000 : 8_000),
      processes: 3,
      seconds: 60,
      random: random(),
    });
    expect(sum(bySecond.slice(10, 20)) / 10).toBeGreaterThan(3_200);
    expect(sum(bySecond.slice(50, 60)) / 10).toBeGreaterThan(6_400);
  });

  it('go on beside one hot partition, which refuses a part of every batch', () => {
    const { bySecond } = simulate({
      capacity: () => 1_000_000,
      processes: 1,
      seconds: 30,
      random: random(),
      hot: 0.04,
    });
    expect(sum(bySecond.slice(20, 30)) / 10).toBeGreaterThan(1_000);
  });
});

describe('the rate of a process', () => {
  it('has no bound before the first throttle', () => {
    const rate = afterServed(unboundedRate(0), 1_000_000, 10);
    expect(waitOf(rate, 10)).toBe(0);
    expect(unitsPerSecond(rate, 10)).toBe(Number.POSITIVE_INFINITY);
  });

  /** A process that the table served 1,000 units a second and then throttled. */
  const busyUntil = (end: number) => {
    let rate = unboundedRate(0);
    for (let now = 10; now <= end; now += 10) rate = afterServed(rate, 10, now);
    return rate;
  };

  it('falls below the rate that the table served', () => {
    const rate = afterThrottled(busyUntil(3_000), 1_000, 3_000);
    expect(unitsPerSecond(rate, 3_000)).toBeGreaterThan(800);
    expect(unitsPerSecond(rate, 3_000)).toBeLessThan(900);
  });

  it('doubles every second after the first cut, and returns to the throttled rate after a later one', () => {
    const first = afterThrottled(busyUntil(3_000), 1_000, 3_000);
    expect(unitsPerSecond(first, 4_000)).toBeGreaterThan(1_600);
    const second = afterThrottled(first, 5_000, 3_500);
    expect(unitsPerSecond(second, 3_500)).toBeCloseTo(second.low);
    expect(second.low).toBeLessThan(0.8 * second.peak);
    expect(unitsPerSecond(second, 8_000)).toBeGreaterThan(second.low);
    // The process does not use more, so the rate stops at twice of what it used.
    expect(unitsPerSecond(second, 60_000)).toBeCloseTo(2 * second.peak);
  });

  it('counts the throttles of half a second as one', () => {
    const first = afterThrottled(busyUntil(3_000), 1_000, 3_000);
    expect(afterThrottled(first, 1_000, 3_499).low).toBe(first.low);
    expect(afterThrottled(first, 1_000, 3_500).low).not.toBe(first.low);
  });

  it('takes a few throttles among many served units for no reason to slow down', () => {
    expect(waitOf(afterThrottled(busyUntil(3_000), 100, 3_000), 3_000)).toBe(0);
  });

  it('never falls to nothing', () => {
    let rate = unboundedRate(0);
    for (let now = 0; now < 60_000; now += 500) rate = afterThrottled(rate, 25, now);
    expect(unitsPerSecond(rate, 60_000)).toBeGreaterThanOrEqual(5);
  });
});
