import { limits } from '../config/limits.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Hands out a property's next ordinals. Gaps are allowed, reuse is not. */
export interface Ordinals {
  /** `count` fresh ordinals, ascending. */
  take(property: number, count: number): Promise<readonly number[]>;
}

/**
 * Ordinals from the property's counter. For a single profile a small range is reserved and kept for the next ones made by
 * this process; a batch reserves what it needs, so that an import leaves no gaps.
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
