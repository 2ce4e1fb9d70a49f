/** How cells are printed: comma (`csv`) or tab (`txt`), and whether spreadsheets are kept from running them. */
export interface PrintStyle {
  readonly delimiter: ',' | '\t';
  readonly formulaGuard: boolean;
}

/** Ends every line, the last one included (RFC 4180). */
export const LINE_END = '\r\n';

/** What a spreadsheet may take for a formula: a character that starts one, behind any quotes and white space. */
const formula = /^['\s]*[=+\-@\t\r＝＋－＠]/;
/** Signed numbers and telephone numbers start like formulas but cannot be one. */
const harmless = /^[+\-0-9 ().]*$/;
const quoted = { ',': /[",\r\n]/, '\t': /["\t\r\n]/ } as const;
/** Any character at which a spreadsheet may split a cell: the separator that it uses depends on its language. */
const quotedByGuard = /[",;|\t\r\n]/;

/**
 * Takes the meaning away from a cell that a spreadsheet would run: one more `'` in front. To undo it exactly, drop the first
 * character of each cell that begins with `'` and matches `formula` (`unguardCell`).
 */
export const guardCell = (cell: string): string =>
  formula.test(cell) && !harmless.test(cell) ? `'${cell}` : cell;

/** Whether the guard puts a cell in quotes. */
export const isQuotedByGuard = (cell: string): boolean => quotedByGuard.test(cell);

/** The inverse of `guardCell`, for every cell. */
export const unguardCell = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;

/**
 * One line, of one cell at least, without its end: cells separated by the delimiter, in quotes where RFC 4180 asks for them. With the guard, cells
 * that hold any separator are in quotes, so that `x;=1+1` stays one cell where the separator is `;`. A line of one empty cell
 * is printed `""`, since a reader takes an empty line for no row at all.
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
