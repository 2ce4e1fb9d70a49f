/** The columns in which people are listed. */
import type { Input, Item } from '../../src/index.ts';
import { isRecord } from '../../src/json.ts';
import { readColumns } from '../exports/options.ts';
import { usageFailure, valueOf } from '../failure.ts';
import { columnFields } from '../fields.ts';
import { nearest } from '../segments/nearest.ts';
import type { Column } from '../terminal/table.ts';

/** A person of a page. */
export type Person = Item<'listSegmentProfiles'>;

const fields = ['first_name', 'last_name', 'email', 'unique_id', 'phone_number', 'city'] as const;

/** The columns of a table of people. */
export const peopleColumns = fields.map((heading) => ({
  heading,
  least: 8,
  cell: (person: Pick<Person, (typeof fields)[number]>) => person[heading] ?? '',
}));

type Query = NonNullable<Input<'listSegmentProfiles'>['query']>;
type Part = NonNullable<Query['include']>[number];

/** What pages of people have only if the query asks for it, by the fields that need it. */
const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['age', 'age'],
  ['current_age', 'current_age'],
  ['country', 'country'],
  ['tags', 'tags'],
  ['social_likes', 'social_likes'],
  ['source', 'sources'],
  ['extra_data', 'extra_data'],
  ['consent', 'consent'],
]);

/** Columns of people, and what the pages must include for them. */
export interface PeopleColumns {
  readonly columns: readonly Column<Person>[];
  readonly include: readonly Part[];
}

/** The columns of the option `--columns`, or the usual ones. Throws a usage failure for a field that nobody has. */
export const chosenColumns = (text: string | undefined): PeopleColumns => {
  if (text === undefined) return { columns: peopleColumns, include: [] };
  const chosen = valueOf(readColumns(text));
  const roots = chosen.map(({ umbel_field_name: field }) => requireField(field));
  return {
    columns: chosen.map(({ umbel_field_name: field, destination_field_name: heading }) => ({
      heading,
      least: 8,
      cell: (person) => valueIn(person, field),
    })),
    include: [...parts].flatMap(([field, part]) => (roots.includes(field) ? [part] : [])),
  };
};

/** The member of a person in which a field is. */
const requireField = (field: string): string => {
  const [root = '', ...below] = field.split('.');
  const isKey = root === 'extra_data' || root === 'consent';
  if (isKey ? below.join('.') !== '' : columnFields.includes(field)) return root;
  const [near] = nearest(field, columnFields);
  throw usageFailure(
    `--columns "${field}": There is no such field.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    [`The fields are ${columnFields.join(', ')}, consent.<channel> and extra_data.<name>.`],
  );
};

/** The text of a field of a person; several values have commas between them. */
const valueIn = (person: Person, field: string): string => {
  const [root = '', ...below] = field.split('.');
  const value = new Map<string, unknown>(Object.entries(person)).get(parts.get(root) ?? root);
  const key = below.join('.');
  if (root === 'consent') {
    const found = listOf(value).find((one) => isRecord(one) && one['channel'] === key);
    return isRecord(found) ? textOf(found['state']) : '';
  }
  if (root === 'extra_data') return isRecord(value) ? textOf(value[key]) : '';
  return textOf(value);
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A value in one line: of several each once, of a tag its name, of a thing its id. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return [...new Set(value.map(textOf))].join(', ');
  if (!isRecord(value)) return JSON.stringify(value);
  if ('tag' in value) return textOf(value['tag']);
  return 'id' in value ? textOf(value['id']) : JSON.stringify(value);
};
