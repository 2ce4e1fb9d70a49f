import type { CodePage } from '../../shared/csv/dialect.ts';
import { encoderOf } from '../support/code-pages.ts';

/** A file of people in a code page: first names and cities. */
export const peopleIn = (codePage: CodePage, people: readonly (readonly [string, string])[]): Buffer =>
  encoderOf(codePage).encode(
    `Email;First Name;City\r\n${people.map(([name, city], index) => `p${index}@example.org;${name};${city}\r\n`).join('')}`,
  );

/** Fields for the columns of `peopleIn`. */
export const peopleMapping = {
  required_fields: [],
  field_maps: [
    { sources: [{ type: 'source_field' as const, name: 'Email' }], target_field: 'email' },
    { sources: [{ type: 'source_field' as const, name: 'First Name' }], target_field: 'first_name' },
  ],
};
