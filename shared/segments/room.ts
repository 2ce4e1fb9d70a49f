import * as v from 'valibot';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const counterItem = v.object({ value: v.number() });

/**
 * Reserves room for up to `wanted` new segments below the property's limit, before they are made, and returns how many
 * there may be. A writer that dies keeps its room: the limit may come early by that much, but is never passed.
 */
export const reserveRoom = async (
  table: Table,
  property: number,
  wanted: number,
  limit: number,
): Promise<number> => {
  const counter = keys.counter(property, 'segment-count');
  const item = await table.get(counter);
  const free = limit - (item ? v.parse(counterItem, item).value : 0);
  const asked = Math.min(wanted, Math.max(free, 0));
  if (asked === 0) return 0;
  const taken = await table.increment(counter, asked);
  const over = Math.min(asked, Math.max(taken - limit, 0));
  if (over > 0) await table.increment(counter, -over);
  return asked - over;
};

/** Gives back room for segments that were not made after all. */
export const returnRoom = async (table: Table, property: number, count: number): Promise<void> => {
  await table.increment(keys.counter(property, 'segment-count'), -count);
};
