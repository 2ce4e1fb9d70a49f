/** The columns in which people are shown and written to files. */
import type { Input, Item } from '../../../../client/src/types.ts';
import type { Format } from '../../format.ts';
import type { Texts } from '../../texts/en.ts';
import { wordFor } from '../../words.ts';

/** A person as lists show one. */
export type Person = Item<'listSegmentProfiles'>;

/** The columns that every table can have. */
const fieldColumns = [
  'name',
  'email',
  'city',
  'birthday',
  'age',
  'tags',
  'phone_number',
  'unique_id',
  'gender',
  'street',
  'street2',
  'zipcode',
  'state',
  'country',
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

/** The name of a column: a field of a person, or the consent on a channel. */
export type TableColumn = (typeof fieldColumns)[number] | `consent.${string}`;

const consentOn = (channel: string) => `consent.${channel}` as const;
const isConsent = (column: TableColumn): column is `consent.${string}` => column.startsWith(consentOn(''));
const channelOf = (column: `consent.${string}`): string => column.slice(consentOn('').length);

/** The columns of the table of a property with these channels. */
export const columnsWith = (channels: readonly string[]): readonly TableColumn[] => [
  ...fieldColumns,
  ...channels.map(consentOn),
];

/** What a page of people has to include for some columns. */
export const includedFor = (columns: readonly TableColumn[]) => [
  ...new Set(
    columns.flatMap((column) => {
      if (isConsent(column)) return ['consent' as const];
      if (column === 'age') return ['current_age' as const];
      return column === 'country' || column === 'tags' ? [column] : [];
    }),
  ),
];

/** The columns that a table begins with. */
export const usualColumns: readonly TableColumn[] = ['name', 'email', 'city', 'birthday'];

/** The word for a column. */
export const columnWord = (texts: Texts, column: TableColumn): string => {
  if (isConsent(column)) return texts.import.target.consent(wordFor(texts, 'channel', channelOf(column)));
  if (column === 'tags') return texts.import.target.tags;
  return column === 'name' ? texts.segments.name : wordFor(texts, 'field', column);
};

/** Tags of a cell. The others are in a number. */
const TAGS = 3;

const tagsOf = ({ tags = [] }: Person, texts: Texts, format: Format): string => {
  const names = [...new Set(tags.map(({ tag }) => tag))];
  const shown = names.slice(0, TAGS).join(', ');
  const more = names.length - TAGS;
  return more > 0 ? texts.segments.members.more(shown, format.number(more)) : shown;
};

const valueOf = (person: Person, column: Exclude<TableColumn, 'name'>, texts: Texts, format: Format) => {
  if (isConsent(column)) {
    const said = person.consent?.find(({ channel }) => consentOn(channel) === column);
    return said && wordFor(texts, 'consent', said.state);
  }
  if (column === 'tags') return tagsOf(person, texts, format);
  if (column === 'age') return person.current_age?.toString();
  const value = person[column];
  return column === 'birthday' && value ? format.day(value) : value;
};

/** The value of a cell. A dash if it is not known. */
export const cellOf = (...cell: Parameters<typeof valueOf>): string => valueOf(...cell) || '–';

type ExportColumns = NonNullable<Input<'createExport'>['body']>['custom_result_format'];

/** The columns of a file for those of the table. A name is two columns; an age is the one that the table shows. */
export const exportColumns = (columns: readonly TableColumn[], texts: Texts): NonNullable<ExportColumns> =>
  columns
    .flatMap((column) => (column === 'name' ? (['first_name', 'last_name'] as const) : [column]))
    .map((field) => ({
      umbel_field_name: field === 'age' ? 'current_age' : field,
      destination_field_name:
        field === 'first_name' || field === 'last_name'
          ? wordFor(texts, 'field', field)
          : columnWord(texts, field),
    }));
