/** File columns: the columns of a sample, each with its name and the cells that say something. */
import { shortened } from '../../../runtime/shortened.ts';

/** A column of a file. */
export interface FileColumn {
  readonly name: string;
  /** Its position in the header, from 0. */
  readonly index: number;
  /** Its cells that are not empty. */
  readonly values: readonly string[];
  /** Whether other columns have the same name. */
  readonly isRepeated: boolean;
}

/** The columns of a header with the cells of the first rows. */
export const fileColumns = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly FileColumn[] => {
  const counts = new Map<string, number>();
  for (const name of header) counts.set(name, (counts.get(name) ?? 0) + 1);
  return header.map((name, index) => ({
    name,
    index,
    values: rows.map((cells) => cells[index] ?? '').filter((cell) => cell.trim() !== ''),
    isRepeated: (counts.get(name) ?? 0) > 1,
  }));
};

/** Longest name of a column in a sentence. */
const NAME_CHARACTERS = 60;

/** The name of a column in quotes, for a sentence. */
export const quotedName = (name: string): string => JSON.stringify(shortened(name, NAME_CHARACTERS));
