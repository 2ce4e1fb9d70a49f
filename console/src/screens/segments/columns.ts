/** The columns in which people are shown and written to files. */
import type { Input, Item } from '../../../../client/src/types.ts';
import type { Format } from '../../format.ts';
import type { Texts } from '../../texts/en.ts';
import { wordFor } from '../../words.ts';

/** A person as lists show one. */
export type Person = Item<'listSegmentProfiles'>;

/** The columns of the table. */
export const tableColumns = [
  'name',
  'email',
  'city',
  'birthday',
  'age',
  'phone_number',
  'unique_id',
  'gender',
  'street',
  'street2',
  'zipcode',
  'state',
  'has_children',
  'marital_status',
  'education_level',
  'household_income',
  'home_owner_status',
  'home_value',
  'ethnicity',
  'social_id',
  'professional_id',
] as const;

/** The name of a column of the table. */
export type TableColumn = (typeof tableColumns)[number];

/** The columns that a table begins with. */
export const usualColumns: readonly TableColumn[] = ['name', 'email', 'city', 'birthday'];

/** The word for a column. */
export const columnWord = (texts: Texts, column: TableColumn): string =>
  column === 'name' ? texts.segments.name : wordFor(texts, 'field', column);

/** The name of a person: first and last name, or the full name. Empty if the service knows none. */
export const personName = (person: Person): string =>
  [person.first_name, person.last_name].filter((part) => part !== null && part !== '').join(' ') ||
  (person.full_name ?? '');

/** The age on a day of who was born on a day, both YYYY-MM-DD. */
export const ageOn = (day: string, birthday: string): number => {
  const [years = 0, born = 0] = [day, birthday].map((one) => Number(one.slice(0, 4)));
  return years - born - (day.slice(5) < birthday.slice(5) ? 1 : 0);
};

/** The value of a cell. A dash if it is not known. Ages are those of today in UTC, as the service counts them. */
export const cellOf = (person: Person, column: Exclude<TableColumn, 'name'>, format: Format): string => {
  const value = person[column === 'age' ? 'birthday' : column] ?? '';
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  if (column === 'age') return isDay ? String(ageOn(new Date().toISOString(), value)) : '–';
  if (column === 'birthday' && isDay) return format.day(value);
  return value || '–';
};

type ExportColumns = NonNullable<Input<'createExport'>['body']>['custom_result_format'];

/** The columns of a file for those of the table. A name is two columns. */
export const exportColumns = (columns: readonly TableColumn[], texts: Texts): NonNullable<ExportColumns> =>
  columns
    .flatMap((column) => (column === 'name' ? (['first_name', 'last_name'] as const) : [column]))
    .map((field) => ({
      umbel_field_name: field,
      destination_field_name: wordFor(texts, 'field', field),
    }));
