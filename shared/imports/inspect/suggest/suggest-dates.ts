/** Suggest dates: the form of dates in a column. */
import { limits } from '../../../config/limits.ts';
import type { Transformation } from '../../mapping/transformation-schema.ts';
import { compileTransformations } from '../../mapping/transformations.ts';
import type { Language } from './column-names.ts';
import { type Advice, type ColumnValues, dropped } from './advice.ts';
import { type DateColumn, type DateName, doubtsOfDates } from './date-doubts.ts';
import { placeholdersIn } from './date-placeholders.ts';
import { zoneOf } from './date-zones.ts';

const dates: readonly (readonly [DateName, string])[] = [
  ['date', 'year, month, day, or with the name of the month'],
  ['date_dmy', 'day, month, year'],
  ['date_mdy', 'month, day, year'],
  ['date_ymd', 'year of two digits, month, day'],
];

/** A form of dates, and the day that it reads from each value. */
interface Candidate {
  readonly transformation: Extract<Transformation, { name: DateName }>;
  readonly form: string;
  readonly days: readonly (string | undefined)[];
}

/** Languages whose files have the year first, also in two digits. */
const yearFirst: ReadonlySet<Language> = new Set(['ja', 'ko', 'hu']);

/** Digits that are three numbers, or six digits: few other texts of a column of dates look so. */
const numeric = /^(?=.*[1-9])(?:\d{1,4}([-/.]) ?\d{1,2}\1 ?\d{1,4}(?:[T ,].*)?|\d{6})$/u;

/** The share of values that a year of two digits in front must explain: a few days of other forms look like it by chance. */
const MOST_YEAR_FIRST = 0.9;

/**
 * The form of dates that reads most values. What is the day or the year in doubt follows the language of the header. A cell
 * that no form reads is dropped, also in a column without a date. A form that reads the smaller part of the numbers is none:
 * it reads them by chance.
 */
export const suggestDate = async (column: ColumnValues): Promise<Advice> => {
  const { values, language, year } = column;
  const pivot = year % 100;
  const timezone = zoneOf(values, language);
  const zoned = timezone === undefined ? {} : { timezone };
  const candidates = await Promise.all(
    dates.flatMap(([name, form]) =>
      [
        { name, ...zoned },
        { name, pivot, ...zoned },
      ].map((step) => candidateOf(values, step, form)),
    ),
  );
  const counts = candidates.map((candidate) => readBy(candidate, values));
  const most = Math.max(...counts);
  const best = candidates.filter((_, index) => counts[index] === most);
  const isAmerican = language === 'en' && values.some((value) => value.includes('/'));
  const preferred = isAmerican ? 'date_mdy' : 'date_dmy';
  const named = (wanted: DateName): Candidate | undefined =>
    best.find(({ transformation: { name } }) => name === wanted);
  const chosen =
    named('date') ?? (yearFirst.has(language) ? named('date_ymd') : undefined) ?? named(preferred) ?? best[0];
  if (!chosen) throw new Error('suggest: there is no form of dates');
  const found: DateColumn = {
    ...column,
    chosen: chosen.transformation,
    form: chosen.form,
    days: chosen.days,
    others: candidates
      .filter(
        ({ transformation: { name }, days }) =>
          name !== chosen.transformation.name && name !== 'date' && !isYearByChance(name, days),
      )
      .map(({ transformation: { name }, days }) => ({ name, days })),
  };
  if (most === 0)
    return { options: { on_bad_value: 'drop_cell' }, why: [dropped], doubts: doubtsOfDates(found, []) };
  const placeholders = column.target === 'birthday' ? placeholdersIn(values, chosen.days) : [];
  const blank = Object.fromEntries(placeholders.map((text) => [text, '']));
  const { transformation } = chosen;
  return {
    options: {
      transformations: [
        ...(placeholders.length > 0 ? [{ name: 'map' as const, values: blank }] : []),
        transformation,
      ],
      on_bad_value: 'drop_cell',
    },
    why: [
      `${most} of ${values.length} cells are dates of the form ${chosen.form}.`,
      ...(transformation.pivot === undefined ? [] : [`Two-digit years up to ${pivot} are of the 2000s.`]),
      ...(timezone === undefined ? [] : [`Times in UTC are days of ${timezone}.`]),
      dropped,
    ],
    doubts: doubtsOfDates(found, placeholders),
  };
};

/** How many values a form of dates reads, unless it reads them by chance. */
const readBy = ({ transformation: { name }, days }: Candidate, values: readonly string[]): number => {
  const read = days.filter((day) => day !== undefined).length;
  const numbers = values.filter((value, index) => days[index] === undefined && numeric.test(value.trim()));
  return read < numbers.length || isYearByChance(name, days) ? 0 : read;
};

const isYearByChance = (name: DateName, days: Candidate['days']): boolean =>
  name === 'date_ymd' && days.filter((day) => day !== undefined).length < days.length * MOST_YEAR_FIRST;

const candidateOf = async (
  values: readonly string[],
  transformation: Candidate['transformation'],
  form: string,
): Promise<Candidate> => {
  const read = await compileTransformations([transformation], limits.imports.mappedCharacters);
  const days = values.map((value) => {
    const day = read(value);
    return typeof day === 'string' ? day : undefined;
  });
  return { transformation, form, days };
};
