/** Date placeholders: days that systems write for nothing, which are no birthdays. */
import { countsOf } from '../../../runtime/counts.ts';

/** Days on which the clocks and calendars of systems begin or end. Nobody who is alive was born on them. */
const never: ReadonlySet<string> = new Set([
  '0001-01-01',
  '1000-01-01',
  '1753-01-01',
  '1800-01-01',
  '1899-12-30',
  '1899-12-31',
  '1900-01-01',
  '1900-01-02',
  '9999-12-31',
]);

/** The same of younger systems. A person can be born on them; so they count only if several people have them. */
const seldom: ReadonlySet<string> = new Set([
  '1901-01-01',
  '1904-01-01',
  '1969-12-31',
  '1970-01-01',
  '1980-01-01',
  '2000-01-01',
]);

/** More than this many of the cells, and at least three, are too many for a birthday of chance. */
const SHARE = 0.02;

/** The different texts of a column that are placeholders of a birthday. `days` has the day of each value. */
export const placeholdersIn = (
  values: readonly string[],
  days: readonly (string | undefined)[],
): readonly string[] => {
  const counts = countsOf(days.filter((day) => day !== undefined));
  const isPlaceholder = (day: string): boolean =>
    never.has(day) || (seldom.has(day) && isMany(counts.get(day) ?? 0, values.length));
  const found = values.filter((_, index) => {
    const day = days[index];
    return day !== undefined && isPlaceholder(day);
  });
  return [...new Set(found)].slice(0, 50);
};

/** The days, without placeholders, that far more people have than chance gives. */
export const crowdedDays = (days: readonly (string | undefined)[]): ReadonlySet<string> =>
  new Set(
    [...countsOf(days.filter((day) => day !== undefined))]
      .filter(([day, count]) => !never.has(day) && count >= 5 && isMany(count, days.length))
      .map(([day]) => day),
  );

const isMany = (count: number, all: number): boolean => count >= 3 && count > all * SHARE;
