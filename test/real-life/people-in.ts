import type { CodePage } from '../../shared/csv/dialect.ts';
import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import { encoderOf } from '../support/code-pages.ts';
import { fieldMap } from '../support/field-map.ts';

/** A file of people in a code page: first names and cities. */
export const peopleIn = (codePage: CodePage, people: readonly (readonly [string, string])[]): Buffer =>
  encoderOf(codePage).encode(
    `Email;First Name;City\r\n${people.map(([name, city], index) => `p${index}@example.org;${name};${city}\r\n`).join('')}`,
  );

const mapped = (name: string, target_field: string) => fieldMap(target_field, name);

/** Fields for the columns of `peopleIn` but the city. */
export const peopleMapping = {
  required_fields: [],
  field_maps: [mapped('Email', 'email'), mapped('First Name', 'first_name')],
};

/** Fields for all columns of `peopleIn`. */
export const placesMapping = {
  required_fields: [],
  field_maps: [...peopleMapping.field_maps, mapped('City', 'city')],
};

/** First names and cities of stored people, as `peopleIn` takes them. */
export const placesOf = (stored: readonly ResolvedProfile[]) =>
  stored.map(({ fields: { first_name, city } }) => [first_name, city]);
