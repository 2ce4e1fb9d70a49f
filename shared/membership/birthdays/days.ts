import { DAY_SECONDS } from '../../runtime/clock.ts';

/** A UTC day as `YYYY-MM-DD`; as texts they sort as days. */
export type Day = string;

const DAY_MS = DAY_SECONDS * 1000;
const MONTHS = 12;

/** The UTC day of a time (epoch milliseconds). */
export const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10);

/** The time at which a day begins. */
export const startOf = (day: Day): number => Date.parse(day);

/** The months (1–12, ascending) whose people may become a year older on the days behind `last` up to `day`. */
export const monthsBetween = (last: Day, day: Day): readonly number[] => {
  const months = new Set<number>();
  for (let at = startOf(last) + DAY_MS; at <= startOf(day) && months.size < MONTHS; at += DAY_MS) {
    const date = new Date(at);
    months.add(date.getUTCMonth() + 1);
    // On 1 March those of 29 February too, in most years.
    if (date.getUTCMonth() === 2 && date.getUTCDate() === 1) months.add(2);
  }
  return [...months].sort((a, b) => a - b);
};
