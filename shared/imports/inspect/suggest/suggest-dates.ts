/** Suggest dates: the form of dates in a column. */
import { limits } from '../../../config/limits.ts';
import type { Transformation } from '../../mapping/transformation-schema.ts';
import { compileTransformations } from '../../mapping/transformations.ts';
import { type Advice, type ColumnValues, dropped } from './advice.ts';
import { type DateColumn, doubtsOfDates } from './date-doubts.ts';
import { placeholdersIn } from './date-placeholders.ts';
import { zoneOf } from './date-zones.ts';

type DateName = 'date' | 'date_dmy' | 'date_mdy';

const dates: readonly (readonly [DateName, string])[] = [
  ['date', 'year, month, day, or with the name of the month'],
  ['date_dmy', 'day, month, year'],
  ['date_mdy', 'month, day, year'],
];

/** A form of dates, and the day that it reads from each value. */
interface Candidate {
  readonly transformation: Extract<Transformation, { name: DateName }>;
  readonly form: string;
  readonly days: readonly (string | undefined)[];
}

/**
 * The form of dates that reads most values. Day and month in doubt follow the language of the header. A cell that no form
 * reads is dropped, also in a column without a date.
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
  const counts = candidates.map(({ days }) => days.filter((day) => day !== undefined).length);
  const most = Math.max(...counts);
  const best = candidates.filter((_, index) => counts[index] === most);
  const isAmerican = language === 'en' && values.some((value) => value.includes('/'));
  const preferred = isAmerican ? 'date_mdy' : 'date_dmy';
  const chosen =
    best.find(({ transformation: { name } }) => name === 'date') ??
    best.find(({ transformation: { name } }) => name === preferred) ??
    best[0];
  if (!chosen) throw new Error('suggest: there is no form of dates');
  const found: DateColumn = {
    ...column,
    chosen: chosen.transformation,
    form: chosen.form,
    days: chosen.days,
    others: candidates
      .filter(({ transformation: { name } }) => name !== chosen.transformation.name && name !== 'date')
      .map(({ days }) => days),
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
