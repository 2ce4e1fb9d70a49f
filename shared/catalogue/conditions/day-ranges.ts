/** Ranges of UTC days on which somebody is a member, by the day or the birthday of a value. */
import { dayOfAge } from '../../profiles/age.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import { dayText, utcDay } from '../../runtime/utc-days.ts';

/** UTC days from `from` to `to`, both included: days since 1970-01-01, or infinite. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** All days. */
export const allDays: DayRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Whether two ranges have a day in common. */
export const touches = (one: DayRange, other: DayRange): boolean =>
  one.from <= other.to && one.to >= other.from;

/** The part of a range from a day on. */
export const rangeFrom = (range: DayRange, day: number): DayRange =>
  range.from >= day ? range : { from: day, to: range.to };

/** Ranges in order. Those that meet or follow each other without a gap are one. Empty ranges are left out. */
export const mergedRanges = (ranges: readonly DayRange[]): readonly DayRange[] => {
  const sorted = ranges.filter(({ from, to }) => from <= to).toSorted((one, other) => one.from - other.from);
  const merged: DayRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last && range.from <= last.to + 1)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else merged.push(range);
  }
  return merged;
};

/** No birthday is that long ago, or will be. */
const OLDEST = 1_000;

/** The days on which somebody has one of the ages from `low` to `high`: whole years, or infinite. */
export const daysOfAges = (birthday: string, [low, high]: readonly [number, number]): DayRange => ({
  from: dayOfAgeOrEver(birthday, low),
  to: dayOfAgeOrEver(birthday, high + 1) - 1,
});

const dayOfAgeOrEver = (birthday: string, age: number): number => {
  if (Math.abs(age) > OLDEST) return age > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  return dayOfAge(birthday, age);
};

/** With so many days ahead of an anniversary, there is no day without one to come. */
const WHOLE_YEAR = 365;

/** With a day less, only leap years leave a gap of one day; the longest time without a leap year is from 1896 to 1904. */
const YEARS_WITHOUT_GAP = 8;

/**
 * The days from `before` days ahead of an anniversary of a birthday to the anniversary itself: at least the ranges that touch
 * a span, which must be finite, and those that follow them without a gap. The day of birth is no anniversary.
 */
export const anniversaryRanges = (birthday: string, before: number, span: DayRange): readonly DayRange[] => {
  const rangeOf = (age: number): DayRange => {
    const day = dayOfAge(birthday, age);
    return { from: day - before, to: day };
  };
  if (before >= WHOLE_YEAR) return [{ from: rangeOf(1).from, to: Number.POSITIVE_INFINITY }];
  const around = before === WHOLE_YEAR - 1 ? YEARS_WITHOUT_GAP : 0;
  const born = Number(birthday.slice(0, 4));
  const last = yearOf(span.to) + 1 - born + around;
  const ranges: DayRange[] = [];
  for (let age = Math.max(1, yearOf(span.from) - born - around); age <= last; age += 1)
    ranges.push(rangeOf(age));
  return ranges;
};

const yearOf = (day: number): number => new Date(day * DAY_MS).getUTCFullYear();

/** The last day of a range as `YYYY-MM-DD`; null for none that a calendar of four digits has. */
export const endOf = ({ to }: DayRange): string | null => (to > LAST_DAY ? null : dayText(to));

const LAST_DAY = utcDay('9999-12-31');
