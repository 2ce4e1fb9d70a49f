/** The import definition of a file that somebody wants to import: from its first rows, or one that the service has. */
import type { Answer } from '../types.ts';

/** What the service found in the first bytes of a file. */
export type Inspected = Answer<'inspectImport'>;

/** The bytes that the service looks at. */
export const INSPECTED_BYTES = 100_000;

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
