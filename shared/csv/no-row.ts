/** No row: which lines of a file hold no person, for every reader of files. */
import { isBlank as isInvisible, visibleText } from '../runtime/visible-text.ts';
import { type Delimiter, delimiterNames, delimiters } from './dialect.ts';

/** Characters of ASCII that show. Nearly every filled cell has one, and needs no further look. */
const shown = /[!-~]/;
const controls = /\p{Cc}/gu;

/** Whether a cell shows nothing: it is empty, or has only characters that nobody sees. */
export const isBlank = (cell: string): boolean =>
  cell === '' || (!shown.test(cell) && isInvisible(cell.replace(controls, '')));

/** Whether a row shows nothing, such as a row of delimiters. */
export const isRowOfNothing = (cells: readonly string[]): boolean => cells.every(isBlank);

/** The cells of a row without the blank ones behind the last column. Spreadsheets write them. */
export const withinColumns = (cells: readonly string[], columns: number): readonly string[] =>
  cells.length > columns && cells.slice(columns).every(isBlank) ? cells.slice(0, columns) : cells;

/** The line `sep=;` that tells a spreadsheet the delimiter. A spreadsheet that saves the file adds quotes and delimiters. */
const separatorLine = /^\s*"?sep=([^"\r\n]?)"?[,;|\s]*$/iu;

/**
 * The delimiter that a line states before the header: `null` for one that the service does not read, and `undefined` for
 * a line that states none.
 */
export const statedDelimiter = (line: string): Delimiter | null | undefined => {
  const [, character] = separatorLine.exec(line) ?? [];
  if (character === undefined) return undefined;
  return delimiterNames.find((name) => delimiters[name] === character) ?? null;
};

/** What a row repeats: the header as it is, or the names of its columns in another order. */
export type Repetition = 'same' | 'other_order';

/**
 * Compiles the test for rows that repeat the header, as in files that were joined. Case and blank cells do not count. A
 * single name of a wider header is no repetition: it may be a value.
 */
export const headerRepetition = (
  header: readonly string[],
): ((cells: readonly string[]) => Repetition | undefined) => {
  const keys = header.map(keyOf);
  const names = new Set(keys);
  const least = Math.min(2, keys.filter((key) => key !== '').length);
  return (cells) => {
    // Of nearly all rows, the first cell decides.
    if (!cells.every((cell) => isBlank(cell) || names.has(keyOf(cell)))) return undefined;
    const filled = cells.filter((cell) => !isBlank(cell)).length;
    if (least === 0 || filled < least) return undefined;
    return cells.every((cell, index) => isBlank(cell) || keyOf(cell) === keys[index])
      ? 'same'
      : 'other_order';
  };
};

const keyOf = (name: string): string => visibleText(name).toLowerCase();
