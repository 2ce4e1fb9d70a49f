/** Slid rows: rows whose cells stand too far to the right, as behind a comma that no quotes enclose. */
import { isBlank } from '../../csv/no-row.ts';
import { type Doubt, doubtAbout } from './doubt.ts';

/** The share of cells of a column that must have one form, and the fewest cells, before other forms are noticed. */
const MOST = 0.8;
const FEWEST = 5;

/** The form of a column whose cells look alike, such as `9` for postal codes and `A` for codes of states. */
type Form = string | undefined;

/** The forms of the columns of a header. */
export const formsOf = (header: readonly string[], rows: readonly (readonly string[])[]): readonly Form[] =>
  header.map((_, column) => formOf(rows.map((cells) => cells[column] ?? '')));

/**
 * Finds the rows in which no cell of a fixed form has it, and a cell to its right has it instead. Columns of words have
 * no fixed form, so rows are noticed only in a file with a column of numbers, dates, addresses or codes.
 */
export const slidRows = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Doubt[] => {
  const forms = formsOf(header, rows);
  const seen = rows.flatMap((cells) => {
    const column = slidCell(cells, forms, [1, 2]);
    return column === undefined ? [] : [`${header[column] ?? ''}: ${cells[column] ?? ''}`];
  });
  if (seen.length === 0 || seen.length * 2 > rows.length) return [];
  const saw = 'Cells stand too far to the right, as behind a delimiter in a cell without quotes around it.';
  const does =
    'Stores each cell in the column in which it stands. Write the file again with quotes around such cells, or mend these rows.';
  return [doubtAbout(null, seen, { saw, does })];
};

/** The first column whose cell stands in another column. `steps` are the distances to look at: above 0 to the right, below 0 to the left. */
export const slidCell = (
  cells: readonly string[],
  forms: readonly Form[],
  steps: readonly number[],
): number | undefined => {
  const fits = (column: number, form: Form): boolean => form !== undefined && shapeOf(cells[column]) === form;
  const isSlid = (form: Form, column: number): boolean =>
    form !== undefined &&
    (column >= cells.length || !isBlank(cells[column] ?? '')) &&
    !fits(column, form) &&
    steps.some((step) => fits(column + step, form) && !fits(column + step, forms[column + step]));
  const first = forms.findIndex(isSlid);
  if (first === -1) return undefined;
  // Where one of the later cells is in its place, the row has an odd value and has not slid.
  return forms.some((form, column) => column > first && fits(column, form)) ? undefined : first;
};

const formOf = (cells: readonly string[]): Form => {
  const filled = cells.filter((cell) => !isBlank(cell));
  const counts = new Map<string, number>();
  for (const cell of filled) counts.set(shapeOf(cell), (counts.get(shapeOf(cell)) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (!most || most[1] < FEWEST || most[1] < MOST * filled.length) return undefined;
  return isFixed(most[0]) ? most[0] : undefined;
};

/** The shape of a text: `@` for an address, `9` for digits, `A` for capitals, `a` for words, and what is between them. */
const shapeOf = (cell = ''): string =>
  cell
    .trim()
    .replace(/^[^\s@]+@[^\s@]+$/u, '@')
    .replace(/\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+(?:[\p{L}\p{M}]*)/gu, 'a')
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{N}+/gu, '9');

/** Whether a shape tells values from those of other columns: words alone do not. */
const isFixed = (shape: string): boolean => /[9@]/.test(shape) || shape === 'A';
