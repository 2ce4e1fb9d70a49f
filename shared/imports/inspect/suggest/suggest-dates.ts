/** Suggest dates: the form of dates in a column. */
import type { Transformation } from '../../mapping/transformation-schema.ts';
import { type Advice, type ColumnValues, dropped, none, readBy } from './advice.ts';

const dates: readonly (readonly [Transformation['name'] & ('date' | 'date_dmy' | 'date_mdy'), string])[] = [
  ['date', 'year-month-day, or with the name of the month'],
  ['date_dmy', 'day.month.year'],
  ['date_mdy', 'month/day/year'],
];

/** The form of dates that reads most values. Day and month in doubt follow the language of the header. */
export const suggestDate = async ({ values, language, year }: ColumnValues): Promise<Advice> => {
  const pivot = year % 100;
  const forms = await Promise.all(
    dates.flatMap(([name, form]) =>
      (name === 'date' ? [{ name }] : [{ name }, { name, pivot }]).map(async (step) => {
        const transformation: Transformation = step;
        return { transformation, form, read: await readBy(values, [transformation]) };
      }),
    ),
  );
  const isAmerican = language === 'en' && values.some((value) => value.includes('/'));
  const preferred = isAmerican ? 'date_mdy' : 'date_dmy';
  const most = Math.max(...forms.map(({ read }) => read));
  if (most === 0) return none;
  const best = forms.filter(({ read }) => read === most);
  const chosen =
    best.find(({ transformation: { name } }) => name === 'date') ??
    best.find(({ transformation: { name } }) => name === preferred) ??
    best[0];
  if (!chosen) return none;
  const { transformation } = chosen;
  const inDoubt = transformation.name !== 'date' && new Set(best.map((each) => each.form)).size > 1;
  const why = [
    `${most} of ${values.length} cells are dates of the form ${chosen.form}.`,
    ...('pivot' in transformation ? [`Two-digit years up to ${pivot} are of the 2000s.`] : []),
    ...(inDoubt ? ['Day and month may be the other way round: please check.'] : []),
    dropped,
  ];
  return { options: { transformations: [transformation], on_bad_value: 'drop_cell' }, why };
};
