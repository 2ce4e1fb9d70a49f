import { seeded } from '../ingest/interleave.ts';

/** Random numbers from a seed, the same in every run. */
export interface RandomSource {
  /** An integer from 0 to `limit`, exclusive. */
  below(limit: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** A source of random choices, with a function that picks from a list. */
export const randomSource = (seed: number): RandomSource => {
  const below = seeded(seed);
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
};
