import { describe, expect, it } from 'vitest';
import { estimateOf } from '../../../shared/catalogue/conditions/estimate.ts';

/** Random numbers from a seed (mulberry32), so that each run sees the same samples. */
const randomFrom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** How many of a sample without replacement meet a condition that `members` of the population meet. */
const drawn = (random: () => number, size: number, members: number, population: number): number => {
  let matches = 0;
  for (let taken = 0; taken < size; taken += 1)
    if (random() * (population - taken) < members - matches) matches += 1;
  return matches;
};

/** The number of ways to choose, exactly. */
const choose = (all: number, chosen: number): bigint => {
  let ways = 1n;
  for (let index = 1; index <= chosen; index += 1)
    ways = (ways * BigInt(all - chosen + index)) / BigInt(index);
  return chosen > all ? 0n : ways;
};

/** The share of samples with matches from `from` to `to`, exactly. */
const shareOf = (
  members: number,
  size: number,
  population: number,
  [from, to]: readonly [number, number],
): number => {
  let ways = 0n;
  for (let matches = from; matches <= to; matches += 1)
    ways += choose(members, matches) * choose(population - members, size - matches);
  return Number((ways * 1_000_000_000n) / choose(population, size)) / 1_000_000_000;
};

describe('the bounds of an estimate', () => {
  it('are the numbers that a sample of a small population does not refute, counted exactly', () => {
    for (const [population, size] of [
      [12, 5],
      [40, 13],
      [60, 59],
    ] as const) {
      for (let matches = 0; matches <= size; matches += 1) {
        const possible = Array.from({ length: population + 1 }, (_, members) => members).filter(
          (members) =>
            members >= matches &&
            population - members >= size - matches &&
            shareOf(members, size, population, [matches, size]) > 0.025 &&
            shareOf(members, size, population, [0, matches]) > 0.025,
        );
        const { low, high } = estimateOf({ size, matches, population });
        expect([population, size, matches, low, high]).toEqual([
          ...[population, size, matches],
          ...[possible[0], possible.at(-1)],
        ]);
      }
    }
  });

  it.each([
    [4_096, 1_000_000, 0.000_03],
    [4_096, 1_000_000, 0.02],
    [4_096, 1_000_000, 0.5],
    [4_096, 10_000, 0.9],
    [300, 10_000_000, 0.001],
    [300, 400, 0.3],
  ])('hold for 95 %% of samples of %d of %d people', (size, population, share) => {
    const random = randomFrom(size + population);
    const members = Math.round(share * population);
    const samples = 1_000;
    let held = 0;
    for (let sample = 0; sample < samples; sample += 1) {
      const { low, high } = estimateOf({
        size,
        matches: drawn(random, size, members, population),
        population,
      });
      if (low <= members && members <= high) held += 1;
    }
    // 95 % less twice the deviation of a thousand samples.
    expect(held / samples).toBeGreaterThanOrEqual(0.936);
  });

  it('are exact where everybody was looked at', () => {
    for (const [size, matches] of [
      [0, 0],
      [1, 1],
      [7, 0],
      [5_000, 17],
      [5_000, 5_000],
    ] as const)
      expect(estimateOf({ size, matches, population: size })).toEqual({
        count: matches,
        low: matches,
        high: matches,
      });
  });

  it('never contradict what was seen, and are whole people', () => {
    const random = randomFrom(7);
    for (let run = 0; run < 2_000; run += 1) {
      const population = Math.floor(random() * 10 ** (1 + 7 * random()));
      const size = Math.min(population, Math.floor(random() * 4_097));
      const matches = Math.floor(random() * (size + 1));
      const { count, low, high } = estimateOf({ size, matches, population });
      const seen = [matches, low, count, high, population - (size - matches)];
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect(seen.every(Number.isInteger)).toBe(true);
    }
  });

  it('know nothing of people at whom nobody looked', () => {
    expect(estimateOf({ size: 0, matches: 0, population: 50 })).toEqual({ count: 0, low: 0, high: 50 });
  });

  it('are as the example of the documents says', () => {
    expect(estimateOf({ size: 4_096, matches: 21, population: 1_000_000 })).toEqual({
      count: 5_127,
      low: 3_180,
      high: 7_820,
    });
  });
});
