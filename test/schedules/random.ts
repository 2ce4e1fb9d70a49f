/** Random numbers from a seed, the same in every run. */
export interface RandomSource {
  /** An integer from 0 to `limit`, exclusive. */
  below(limit: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** A small generator (mulberry32). */
export const randomSource = (seed: number): RandomSource => {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
};
