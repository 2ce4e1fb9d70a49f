import { limits } from '../config/limits.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Allocates the ordinals of a property. Gaps are allowed; no ordinal is ever reused. */
export interface Ordinals {
  /** Returns `count` new ordinals, ascending. */
  take(property: number, count: number): Promise<readonly number[]>;
}

/**
 * Allocates ordinals from the counter of the property. For a single profile it reserves a small range and keeps
 * the rest for the next profiles that this process creates. For a batch it reserves the exact count, so that an
 * import leaves no gaps.
 */
export const ordinalSource = (table: Table): Ordinals => {
  const kept = new Map<number, number[]>();
  const reserve = async (property: number, count: number): Promise<number[]> => {
    const end = await table.increment(keys.counter(property, 'ordinal'), count);
    return Array.from({ length: count }, (_, index) => end - count + index);
  };
  return {
    take: async (property, count) => {
      if (count === 0) return [];
      if (count > 1) return reserve(property, count);
      const rest = kept.get(property) ?? [];
      const next = rest.shift();
      if (next !== undefined) return [next];
      const [first, ...others] = await reserve(property, limits.profiles.ordinalsPerReservation);
      kept.set(property, others);
      return first === undefined ? [] : [first];
    },
  };
};
