import * as v from 'valibot';
import { limits } from '../../lib/config/limits.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const counterItem = v.object({ value: v.number() });

/** How many segments there may be: of all types, and of the custom ones. */
const roomFor = {
  'segment-count': limits.segments.perProperty,
  'custom-count': limits.segments.customPerProperty,
} as const;
type Room = keyof typeof roomFor;

/**
 * Reserves room for up to `wanted` new segments below the property's limit, before they are made, and returns how many
 * there may be. A writer that dies keeps its room: the limit may come early by that much, but is never passed.
 */
export const reserveRoom = async (
  table: Table,
  property: number,
  room: Room,
  wanted: number,
): Promise<number> => {
  const counter = keys.counter(property, room);
  const limit = roomFor[room];
  const item = await table.get(counter);
  const free = limit - (item ? v.parse(counterItem, item).value : 0);
  const asked = Math.min(wanted, Math.max(free, 0));
  if (asked === 0) return 0;
  const taken = await table.increment(counter, asked);
  const over = Math.min(asked, Math.max(taken - limit, 0));
  if (over > 0) await table.increment(counter, -over);
  return asked - over;
};

/** Gives back room for segments that were not made after all, or are gone. */
export const returnRoom = async (
  table: Table,
  property: number,
  room: Room,
  count: number,
): Promise<void> => {
  await table.increment(keys.counter(property, room), -count);
};
