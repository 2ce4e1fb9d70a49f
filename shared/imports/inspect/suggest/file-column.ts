/** File columns: the columns of a sample, each with its name and the cells that say something. */
import { shortened } from '../../../runtime/shortened.ts';
import type { ColumnTarget } from './match-columns.ts';

/** A column of a file. */
export interface FileColumn {
  readonly name: string;
  /** Its position in the header, from 0. */
  readonly index: number;
  /** What its name means. */
  readonly named: ColumnTarget | null;
  /** Its cells that are not empty. */
  readonly values: readonly string[];
  /** Which of the columns of its name it is, from 1; `undefined` if no other column has it. */
  readonly occurrence?: number;
  /** Whether another column of its name is taken: the first that has values, or else the first. */
  readonly isSurplus: boolean;
}

/** The columns of a header with the cells of the first rows. */
export const fileColumns = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  named: readonly (ColumnTarget | null)[],
): readonly FileColumn[] => {
  const columns = header.map((name, index) => ({
    name,
    index,
    named: named[index] ?? null,
    values: rows.map((cells) => cells[index] ?? '').filter((cell) => cell.trim() !== ''),
  }));
  const byName = Map.groupBy(columns, ({ name }) => name);
  return columns.map((column) => {
    const [first, ...others] = byName.get(column.name) ?? [];
    if (!first || others.length === 0) return { ...column, isSurplus: false };
    const all = [first, ...others];
    const taken = all.find(({ values }) => values.length > 0) ?? first;
    return { ...column, occurrence: all.indexOf(column) + 1, isSurplus: column !== taken };
  });
};

/** Longest name of a column in a sentence. */
const NAME_CHARACTERS = 60;

/** The name of a column in quotes, for a sentence. */
export const quotedName = (name: string): string => JSON.stringify(shortened(name, NAME_CHARACTERS));
