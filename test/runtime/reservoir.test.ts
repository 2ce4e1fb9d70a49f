import { describe, expect, it } from 'vitest';
import { Reservoir } from '../../shared/runtime/reservoir.ts';
import { randomOf } from '../support/random.ts';

/** Sees the numbers below `length`, so many at once. */
const drawn = (length: number, size: number, random: () => number, atOnce = 7) => {
  let taken = 0;
  const reservoir = new Reservoir<number>(size, random);
  for (let from = 0; from < length; from += atOnce) {
    const count = Math.min(atOnce, length - from);
    reservoir.see(count, (index) => {
      taken += 1;
      expect(index).toBeLessThan(count);
      return from + index;
    });
  }
  expect(reservoir.seen).toBe(length);
  return { items: reservoir.items, taken };
};

describe('a reservoir', () => {
  it.each([0, 1, 9, 10])('has all items of a stream of %i, which is no longer than it', (length) => {
    expect(drawn(length, 10, Math.random).items).toEqual(Array.from({ length }, (_, index) => index));
  });

  it('has so many different items of a longer stream, and asks for few others', () => {
    const { items, taken } = drawn(1_000_000, 100, randomOf(1), 4_096);
    expect(new Set(items).size).toBe(100);
    // 100 * (1 + ln(10,000)) is 1,021 on average.
    expect(taken).toBeLessThan(1_300);
    expect(taken).toBeGreaterThan(800);
  });

  it('draws each item as often as any other, and each pair', () => {
    const [length, size, rounds] = [12, 4, 30_000];
    const random = randomOf(2);
    const times = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      const items = drawn(length, size, random).items.toSorted((one, other) => one - other);
      for (const one of items) {
        times.set(`${one}`, (times.get(`${one}`) ?? 0) + 1);
        for (const other of items) {
          if (other > one) times.set(`${one} ${other}`, (times.get(`${one} ${other}`) ?? 0) + 1);
        }
      }
    }
    const singles = [...times].filter(([key]) => !key.includes(' '));
    const pairs = [...times].filter(([key]) => key.includes(' '));
    expect([singles.length, pairs.length]).toEqual([12, 66]);
    // Five standard deviations: 12 and 66 such counts are beyond them once in 25,000 runs.
    const expectEven = (counts: readonly (readonly [string, number])[], share: number): void => {
      const far = 5 * Math.sqrt(rounds * share * (1 - share));
      for (const [, count] of counts) expect(Math.abs(count - rounds * share)).toBeLessThan(far);
    };
    expectEven(singles, size / length);
    expectEven(pairs, (size * (size - 1)) / (length * (length - 1)));
  });
});
