/** First names: tells from the rows what `Name` means beside a last name. */
import { visibleText } from '../../../runtime/visible-text.ts';
import { type ColumnTarget, isWholeOrLast } from './match-columns.ts';

/** The share of rows that must repeat the last name before `Name` counts as the full name. */
const MOST = 0.5;

/**
 * Corrects what the names of columns mean. `Name` means the first name if the file has a column of last names and none of
 * first names, and if most cells of `Name` do not repeat the last name.
 */
export const withFirstNames = (
  header: readonly string[],
  named: readonly (ColumnTarget | null)[],
  rows: readonly (readonly string[])[],
): readonly (ColumnTarget | null)[] => {
  const at = (target: string): number => named.findIndex((column) => column?.target === target);
  const [whole, last] = [at('full_name'), at('last_name')];
  if (last < 0 || at('first_name') >= 0 || !isWholeOrLast(header[whole] ?? '')) return named;
  const both = rows.flatMap((cells) => {
    const [name, lastName] = [wordsOf(cells[whole]), wordsOf(cells[last])];
    return name.length > 0 && lastName.length > 0 ? [{ name, lastName }] : [];
  });
  const repeating = both.filter(({ name, lastName }) => lastName.every((word) => name.includes(word)));
  if (both.length === 0 || repeating.length >= both.length * MOST) return named;
  return named.map((column, index) =>
    column && index === whole ? { ...column, target: 'first_name' } : column,
  );
};

const wordsOf = (cell = ''): readonly string[] =>
  visibleText(cell)
    .toLowerCase()
    .split(/[\s,;]+/u)
    .filter((word) => word !== '');
