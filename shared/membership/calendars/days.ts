import { DAY_RESIDUES, residueOf } from '../../catalogue/calendars.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import { utcDayOf } from '../../runtime/utc-days.ts';

/** A UTC day as `YYYY-MM-DD`. The strings sort by time. */
export type Day = string;

const MONTHS = 12;

/** The UTC day of a time (epoch milliseconds). */
export const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10);

/** The begin of a day (epoch milliseconds). */
export const startOf = (day: Day): number => Date.parse(day);

/**
 * The months (1–12, ascending) of the birthdays whose anniversaries are one of some numbers of days before a day after `last`
 * up to and including `day`: by default the months of the birthdays on these days.
 */
export const monthsBetween = (last: Day, day: Day, after: readonly number[] = [0]): readonly number[] => {
  const months = new Set<number>();
  eachDay(last, day, (at) => {
    for (const days of after) {
      const date = new Date(at - days * DAY_MS);
      months.add(date.getUTCMonth() + 1);
      // In most years, birthdays on 29 February fall on 1 March.
      if (date.getUTCMonth() === 2 && date.getUTCDate() === 1) months.add(2);
    }
    return months.size < MONTHS;
  });
  return [...months].sort((a, b) => a - b);
};

/** The residues (ascending) of the days that are one of some numbers of days before a day after `last` up to `day`. */
export const residuesBetween = (last: Day, day: Day, after: readonly number[]): readonly number[] => {
  const residues = new Set<number>();
  if (after.length === 0) return [];
  eachDay(last, day, (at) => {
    for (const days of after) residues.add(residueOf(utcDayOf(at) - days));
    return residues.size < DAY_RESIDUES;
  });
  return [...residues].sort((a, b) => a - b);
};

/** Visits the beginnings of the days after `last` up to and including `day`, as long as `visit` asks for more. */
const eachDay = (last: Day, day: Day, visit: (at: number) => boolean): void => {
  for (let at = startOf(last) + DAY_MS; at <= startOf(day); at += DAY_MS) if (!visit(at)) return;
};
