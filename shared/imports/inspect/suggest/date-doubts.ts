/** Date doubts: what a person should look at in a column of dates. */
import type { Transformation } from '../../mapping/transformation-schema.ts';
import { readInstant } from '../../mapping/read-instants.ts';
import { type Doubt, doubtsAbout } from '../doubt.ts';
import type { ColumnValues } from './advice.ts';
import { crowdedDays } from './date-placeholders.ts';
import { isLateInUtc } from './date-zones.ts';

/** The transformations that read days. */
export type DateName = 'date' | 'date_dmy' | 'date_mdy' | 'date_ymd';

/** A column of dates, and how the suggestion reads it. */
export interface DateColumn extends Pick<ColumnValues, 'name' | 'values' | 'target' | 'year'> {
  readonly chosen: Extract<Transformation, { name: DateName }>;
  /** The form that the suggestion reads, in words. */
  readonly form: string;
  /** The day of each value; `undefined` where the suggestion reads none. */
  readonly days: readonly (string | undefined)[];
  /** The days that other forms with numbers read. */
  readonly others: readonly OtherForm[];
}

/** Another form of dates, and the day that it reads from each value. */
interface OtherForm {
  readonly name: DateName;
  readonly days: readonly (string | undefined)[];
}

/** The doubts about a column of dates whose `placeholders` count as empty. */
export const doubtsOfDates = (column: DateColumn, placeholders: readonly string[]): readonly Doubt[] => {
  const { name, values, target, year, chosen, form, days } = column;
  const seen = (cells: readonly string[], saw: string, does: string): readonly Doubt[] =>
    doubtsAbout(name, cells, { saw, does });
  const blank = new Set(placeholders);
  const at = (isSeen: (value: string, index: number) => boolean): readonly string[] => values.filter(isSeen);
  const isRead = (index: number): boolean => days[index] !== undefined;
  const unread = at((_, index) => !isRead(index));
  const orders = ordersOf(column);
  const opposite = orders.flatMap((order) => order.opposite);
  const numbers = unread.filter((value) => serial.test(value.trim()));
  const crowded = target === 'birthday' ? crowdedDays(days) : new Set<string>();
  const lost = target.startsWith('consent.') ? 'Their rows are refused.' : 'They are dropped with a warning.';
  const isShort = (value: string, index: number): boolean => isRead(index) && !fourDigits.test(value);
  return [
    ...orders.map((order) => seen(order.swapped, order.words.may, `They are read as ${form}.`)),
    ...orders.map((order) => seen(order.opposite, order.words.are, lost)),
    seen(
      chosen.pivot === undefined ? [] : at(isShort),
      'Years of two digits.',
      whatPivotDoes(
        column,
        days.flatMap((day, index) => (day !== undefined && isShort(values[index] ?? '', index) ? [day] : [])),
      ),
    ),
    seen(
      at(isLateInUtc),
      'Times in UTC late in the day, as systems write the midnight of a time zone: the days may be one too early.',
      chosen.timezone === undefined
        ? 'The days are stored as they are written. Set the timezone of the transformation to store those of a time zone.'
        : `They are read as days of ${chosen.timezone}, where all of them are midnight. Set another timezone if the file is of another place.`,
    ),
    seen(
      at((value) => blank.has(value)),
      'Days that systems write when they know none.',
      'They count as empty.',
    ),
    seen(
      at((value, index) => crowded.has(days[index] ?? '') && !blank.has(value)),
      'A day that far more people have than chance gives: it may stand for an unknown day.',
      'It is stored as it is.',
    ),
    seen(
      target === 'birthday' ? at((value, index) => isAncient(days[index], year) && !blank.has(value)) : [],
      `Birthdays of people over ${MOST_YEARS}, as of another calendar, or as spreadsheets make them of a year alone.`,
      'They are stored as they are.',
    ),
    seen(numbers, 'Numbers, perhaps the days since 1900 as spreadsheets count them.', lost),
    seen(
      unread.filter((value) => !opposite.includes(value) && !numbers.includes(value)),
      'Cells that no form of dates reads.',
      lost,
    ),
    seen(
      target === 'birthday' ? at((value, index) => isRead(index) && isEvening(value)) : [],
      'Full hours of the evening, as systems write the midnight of a time zone: the days may be one too early.',
      'The days are stored as they are written.',
    ),
  ].flat();
};

/** Another order of day, month and year. */
interface Order {
  /** Cells that are read, and that the other order reads as another day. */
  readonly swapped: readonly string[];
  /** Cells that only the other order reads. */
  readonly opposite: readonly string[];
  readonly words: { readonly may: string; readonly are: string };
}

const dayAndMonth = {
  may: 'Dates whose day and month may be the other way round.',
  are: 'Dates that have day and month the other way round than the rest.',
};
const firstYear = {
  may: 'Dates whose first number may be the year.',
  are: 'Dates whose first number is the year, unlike in the rest.',
};
const lastYear = {
  may: 'Dates whose last number may be the year.',
  are: 'Dates whose last number is the year, unlike in the rest.',
};

const ordersOf = (column: DateColumn): readonly Order[] => {
  const { chosen, others } = column;
  if (chosen.name === 'date_ymd') return [orderOf(column, others, lastYear)];
  const isYearFirst = ({ name }: OtherForm): boolean => name === 'date_ymd';
  return [
    orderOf(
      column,
      others.filter((other) => !isYearFirst(other)),
      dayAndMonth,
    ),
    orderOf(column, others.filter(isYearFirst), firstYear),
  ];
};

const orderOf = (
  { values, days }: DateColumn,
  others: readonly OtherForm[],
  words: Order['words'],
): Order => {
  const isRead = (index: number): boolean => days[index] !== undefined;
  const isSwapped = (index: number): boolean =>
    others.some((other) => other.days[index] !== undefined && other.days[index] !== days[index]);
  const at = (isSeen: (value: string, index: number) => boolean): readonly string[] => values.filter(isSeen);
  // A number too large for a day or a month proves the order of dates with the same separator.
  const proven = new Set(
    at((_, index) => isRead(index) && others.every((other) => other.days[index] === undefined)).map(
      separatorOf,
    ),
  );
  const opposite = at((_, index) => !isRead(index) && isSwapped(index));
  const isProven = (value: string): boolean => opposite.length === 0 && proven.has(separatorOf(value));
  const swapped = at((value, index) => isRead(index) && isSwapped(index) && !isProven(value));
  return { swapped, opposite, words };
};

/** Few people whom a file has are older. */
const MOST_YEARS = 110;

const isAncient = (day: string | undefined, year: number): boolean =>
  day !== undefined && year - Number(day.slice(0, 4)) > MOST_YEARS;

/** So young are few people whom a file has. */
const CHILD_YEARS = 6;

/** Says how years of two digits are read, and how many cells could be of the other century. */
const whatPivotDoes = ({ chosen, target, year }: DateColumn, days: readonly string[]): string => {
  const recent = days.filter((day) => day >= '2000');
  const children = recent.filter((day) => year - Number(day.slice(0, 4)) < CHILD_YEARS).length;
  const counted = `${recent.length} of these ${days.length} cells are of the 2000s.`;
  const young =
    target === 'birthday' && children > 0
      ? ` ${children} of them would be the birthdays of children under ${CHILD_YEARS}: look at them.`
      : '';
  return `Years up to ${chosen.pivot ?? 0} are of the 2000s, the others of the 1900s. ${counted}${young}`;
};

const separatorOf = (text: string): string => /[-/.]/u.exec(text)?.[0] ?? '';

/** Days since 1900, from the year 1927 on. */
const serial = /^\d{5}(?:\.\d+)?$/u;
const fourDigits = /(?<!\d)(?:\d{4}|\d{8})(?!\d)/u;

const evening = /(?:\b2[0-3]:00(?::00)?|\b(?:[89]|1[01]):00(?::00)? ?p\.?m)(?![:\d])/i;

/**
 * Whether a time is at a full hour of the evening. Only the day counts of a birth, and events do begin then. Times that
 * state their offset as ISO 8601 does have a doubt of their own.
 */
const isEvening = (text: string): boolean => evening.test(text) && readInstant(text) === undefined;
