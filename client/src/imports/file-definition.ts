/** The import definition of a file that somebody wants to import: from its first rows, or one that the service has. */
import type { Answer } from '../types.ts';
import { isRecord } from '../json.ts';
import type { ImportDefinition } from './mapping.ts';

/** What the service found in the first bytes of a file. */
export type Inspected = Answer<'inspectImport'>;

/** The bytes that the service looks at. */
export const INSPECTED_BYTES = 100_000;

/** How the user says that a file is written. */
export interface Form {
  readonly encoding?: string;
  readonly headerLine?: number;
}

/** A definition that has nothing but a form, and fills no field from a column. */
export const formDefinition = ({ encoding = 'auto', headerLine }: Form): unknown => ({
  name: 'form',
  ...{ encoding, delimiter: 'auto', header_line: headerLine ?? null },
  mapping_fields: {
    required_fields: [],
    field_maps: [{ sources: [{ type: 'constant', value: 'form' }], target_field: 'extra_data.form' }],
  },
});

/** The first rows of a file, as far as they say which columns have values. */
interface SeenRows {
  readonly header: readonly string[];
  readonly sample: readonly (readonly string[])[];
  readonly suggestion: { readonly columns: readonly { readonly kind: string }[] };
}

/** The columns with values. */
export const filledColumns = ({ suggestion, header, sample }: SeenRows): readonly string[] => {
  const filled = header.filter(
    (name, index) =>
      name !== '' &&
      suggestion.columns[index]?.kind !== 'empty' &&
      sample.some((cells) => (cells[index] ?? '').trim() !== ''),
  );
  return [...new Set(filled)];
};

/** A name that no definition has, so that the names of definitions tell them apart. */
export const freeName = (name: string, taken: ReadonlySet<string>): string => {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  return free;
};

/** A stored definition as a body, for an inspection: without the members that only answers have. */
export const bodyOfStored = (stored: ImportDefinition, { suggestion }: Inspected): unknown => {
  const members = isRecord(suggestion.definition) ? Object.keys(suggestion.definition) : [];
  return Object.fromEntries(members.flatMap((name) => (name in stored ? [[name, stored[name]]] : [])));
};
