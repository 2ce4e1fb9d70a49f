import { DAY_MS } from '../../runtime/clock.ts';

/** A UTC day as `YYYY-MM-DD`. The strings sort by time. */
export type Day = string;

const MONTHS = 12;

/** The UTC day of a time (epoch milliseconds). */
export const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10);

/** The begin of a day (epoch milliseconds). */
export const startOf = (day: Day): number => Date.parse(day);

/** The months (1–12, ascending) of the birthdays that fall on the days after `last` up to and including `day`. */
export const monthsBetween = (last: Day, day: Day): readonly number[] => {
  const months = new Set<number>();
  for (let at = startOf(last) + DAY_MS; at <= startOf(day) && months.size < MONTHS; at += DAY_MS) {
    const date = new Date(at);
    months.add(date.getUTCMonth() + 1);
    // In most years, birthdays on 29 February fall on 1 March.
    if (date.getUTCMonth() === 2 && date.getUTCDate() === 1) months.add(2);
  }
  return [...months].sort((a, b) => a - b);
};
