/** Print line: the lines of exports, with a style and a guard against formulas, and rows as reports show them. */

/** Print style: the delimiter, and whether to guard against formula injection. */
export interface PrintStyle {
  readonly delimiter: ',' | ';' | '\t';
  readonly formulaGuard: boolean;
}

/** Line break after every line, including the last line (RFC 4180). */
export const LINE_END = '\r\n';

/** A cell that a spreadsheet may execute: a character that starts a formula, after any quotes and white space. */
const formula = /^['\s]*[=+\-@\t\r＝＋－＠]/;

/** Signed numbers and telephone numbers start like formulas, but are none. */
const harmless = /^[+\-0-9 ().]*$/;
const quoted = { ',': /[",\r\n]/, ';': /[";\r\n]/, '\t': /["\t\r\n]/ } as const;

/** Any character at which a spreadsheet may split a cell: the separator that it uses depends on its language. */
const quotedByGuard = /[",;|\t\r\n]/;

/**
 * Guards a cell that a spreadsheet would execute (CSV injection) with one more `'` in front. `unguardCell` undoes it
 * exactly: it drops the first character of each cell that begins with `'` and matches `formula`.
 */
export const guardCell = (cell: string): string =>
  formula.test(cell) && !harmless.test(cell) ? `'${cell}` : cell;

/** Whether the guard quotes a cell. */
export const isQuotedByGuard = (cell: string): boolean => quotedByGuard.test(cell);

/** Whether a cell may have the mark of `guardCell`. */
export const isGuarded = (cell: string): boolean => cell.startsWith("'") && formula.test(cell);

/** Whether a spreadsheet would execute a cell. No cell of a guarded file is one. */
export const isFormula = (cell: string): boolean =>
  !cell.startsWith("'") && formula.test(cell) && !harmless.test(cell);

/** The inverse of `guardCell`, for every cell. */
export const unguardCell = (cell: string): string => (isGuarded(cell) ? cell.slice(1) : cell);

/**
 * Prints one line of at least one cell, without its line break. Quotes cells where RFC 4180 requires it. With the
 * guard, it also quotes cells that contain any separator, so that `x;=1+1` stays one cell in a program that separates
 * by `;`. A line of one empty cell is printed as `""`, because parsers skip an empty line.
 */
export const printLine = ({ delimiter, formulaGuard }: PrintStyle, cells: readonly string[]): string => {
  const special = formulaGuard ? quotedByGuard : quoted[delimiter];
  let line = '';
  let separator = '';
  for (const given of cells) {
    const cell = formulaGuard ? guardCell(given) : given;
    line += separator + (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
    separator = delimiter;
  }
  return line === '' ? '""' : line;
};

/** Prints cells as a row that `parseRow` parses into the same cells. */
export const printRow = (cells: readonly string[], delimiter: string): string =>
  cells.map((cell) => printCell(cell, delimiter)).join(delimiter);

const printCell = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
