/** Dates: reads the spellings of dates in files, for the transformations `date`, `date_dmy` and `date_mdy`. */
import { isCalendarDate } from '../../profiles/text-rules.ts';
import type { CellFault, Transformed } from './cell-fault.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

type Part = 'year' | 'month' | 'day';
interface Form {
  readonly pattern: RegExp;
  readonly parts: readonly [Part, Part, Part];
}

/** A time of day after the date, which is ignored. */
const time = '(?:(?:T|,? )\\d{1,2}:\\d{2}.{0,20})?';
const form = (pattern: string, ...parts: Form['parts']): Form => ({
  pattern: new RegExp(`^${pattern}${time}$`, 'i'),
  parts,
});

const iso = /^\d{4}-\d\d-\d\d$/;

/** Unambiguous forms: the year comes first, or the month is an English word. */
const unambiguous: readonly Form[] = [
  form(String.raw`(\d{4})([-/.])(\d{1,2})\2(\d{1,2})`, 'year', 'month', 'day'),
  form(String.raw`(\d{4})()(\d{2})(\d{2})`, 'year', 'month', 'day'),
  form(String.raw`(\d{1,2})([- ])(${monthName})\2(\d{4})`, 'day', 'month', 'year'),
  form(String.raw`(${monthName})( )(\d{1,2}),? (\d{4})`, 'month', 'day', 'year'),
];
const fourDigits = String.raw`(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4})`;
const twoDigits = String.raw`(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{2})`;

interface Spelling {
  readonly forms: readonly Form[];
  /** The forms as people write them, for messages. */
  readonly expected: string;
}

const yearFirst: Spelling = {
  forms: unambiguous,
  expected: 'year-month-day, or the month as an English word',
};
const numeric = (expected: string, ...parts: Form['parts']): Spelling => ({
  forms: [form(fourDigits, ...parts), form(twoDigits, ...parts), ...unambiguous],
  expected,
});
const dayFirst = numeric('day.month.year', 'day', 'month', 'year');
const monthFirst = numeric('month/day/year', 'month', 'day', 'year');

const fault = (predicate: string): CellFault => ({ code: 'not_a_date', predicate });

const read = (text: string, { forms, expected }: Spelling, pivot?: number): Transformed => {
  // The most frequent form, which needs no conversion.
  if (iso.test(text) && isCalendarDate(text)) return text;
  for (const { pattern, parts } of forms) {
    const [, first, , second, third] = pattern.exec(text.trim()) ?? [];
    if (first === undefined || second === undefined || third === undefined) continue;
    const found = [first, second, third];
    const part = (name: Part): string => found[parts.indexOf(name)] ?? '';
    const year = yearOf(part('year'), pivot);
    if (year === undefined) return fault('has a year of two digits: write four digits, or set a pivot');
    const day = `${year}-${monthOf(part('month'))}-${part('day').padStart(2, '0')}`;
    return isCalendarDate(day) ? day : fault(`is not a day of the calendar; expected ${expected}`);
  }
  return fault(`is not a date; expected ${expected}`);
};

const yearOf = (text: string, pivot: number | undefined): string | undefined => {
  if (text.length === 4) return text;
  if (pivot === undefined) return undefined;
  return `${Number(text) <= pivot ? 20 : 19}${text}`;
};

const monthOf = (text: string): string => {
  const named = months.indexOf(text.slice(0, 3).toLowerCase());
  return (named === -1 ? text : String(named + 1)).padStart(2, '0');
};

const anyNumeric = form(fourDigits, 'day', 'month', 'year').pattern;

/**
 * Reads an unambiguous date and returns it as `YYYY-MM-DD`; a fault for other forms and for days that do not exist. A
 * time of day is dropped.
 */
export const readDate = (text: string): Transformed =>
  anyNumeric.test(text.trim())
    ? fault('does not say which number is the day: use date_dmy or date_mdy')
    : read(text, yearFirst);

/**
 * Like `readDate`, and reads three numbers as day, month, year. Two-digit years up to `pivot` are in the 2000s and the
 * others in the 1900s; without a pivot they are a fault.
 */
export const readDayFirst = (text: string, pivot?: number): Transformed => read(text, dayFirst, pivot);

/** Like `readDayFirst`, and reads three numbers as month, day, year. */
export const readMonthFirst = (text: string, pivot?: number): Transformed => read(text, monthFirst, pivot);
