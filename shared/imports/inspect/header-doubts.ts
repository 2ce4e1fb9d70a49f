/**
 * Header doubts: what an inspection says about the lines of a file that may be no rows, or no header, and about rows whose
 * cells stand in other columns.
 */
import { decodeLossy } from '../../csv/decode.ts';
import { delimiters } from '../../csv/dialect.ts';
import { isBlank } from '../../csv/no-row.ts';
import { isEmail } from '../../http/text.ts';
import { readMailbox } from '../mapping/read-mailboxes.ts';
import { type Doubt, doubtsAbout } from './doubt.ts';
import type { Sample, SampleRow } from './read-sample.ts';
import { type FoundHeader, knownIn } from './sniff-header.ts';
import { otherDelimiter } from './suggest/likely-identity.ts';
import { columnsNamed, type ShiftedHeader } from './suggest/shifted-header.ts';
import { countsOf } from '../../runtime/counts.ts';

/** The rows of a sample, those of them that repeat the header, the others, and whether the header fits those. */
interface SeenRows {
  readonly rows: readonly SampleRow[];
  readonly repeated: readonly SampleRow[];
  readonly people: readonly SampleRow[];
  readonly shift: ShiftedHeader | undefined;
}

/** The doubts about where the header of a file is, and which of its lines are rows. */
export const headerDoubts = (sample: Sample, found: FoundHeader, seen: SeenRows): readonly Doubt[] => {
  const { header, header_line, trim } = found;
  const shown = ({ cells }: SampleRow): string => cells.join(delimiters[header.dialect.delimiter]);
  const titles = header_line === null ? [] : linesBefore(sample, header_line, header.dialect.newline);
  const units = seen.rows.slice(0, 1).filter(({ cells }) => isLineOfUnits(cells));
  const undivided = otherDelimiter(
    header.cells,
    seen.people.map(({ cells }) => cells),
  );
  return [
    ...undivided,
    ...doubtsAbout(null, titles, {
      saw: `Line ${header.at} looks like the header, and lines stand before it.`,
      does: `Takes the names of the columns from line ${header.at}, and leaves out the lines before it.`,
    }),
    ...doubtsAbout(null, undivided.length === 0 && knownIn(header.cells) === 0 ? [header.text] : [], {
      saw: `No name in line ${header.at} is known: it may be a row of data.`,
      does: `Takes line ${header.at} as the names of the columns, and not as a person.`,
    }),
    ...doubtsAbout(null, units.map(shown), {
      saw: 'The line below the header looks like units, types or rules, and not like a person.',
      does: 'Takes the line as a row. Remove the line if it is none.',
    }),
    ...doubtsAbout(null, seen.repeated.map(shown), {
      saw: 'The names of the columns stand again between the rows.',
      does: 'Refuses these rows, because they are no people.',
    }),
    ...doubtsAbout(null, trim ? seen.rows.map(shown) : [], {
      saw: 'White space stands around the quotes of cells.',
      does: 'Leaves out white space around all cells (`trim`).',
    }),
    ...cellDoubts(header.cells, seen, shown),
  ];
};

/** The doubts about rows whose cells may stand in wrong columns. */
const cellDoubts = (
  header: readonly string[],
  { people, shift }: SeenRows,
  shown: (row: SampleRow) => string,
): readonly Doubt[] => {
  if (shift) return doubtsAbout(null, shift.rows.map(shown), shift);
  const columns = columnsNamed(header);
  const isShort = ({ width }: SampleRow): boolean => width > 0 && width < columns;
  const whole = people.filter((row) => !isShort(row)).map(({ cells }) => cells);
  return [...slidRows(header, whole), ...shortRows(header, whole, people.filter(isShort), shown)];
};

/** The lines before a line that show something. */
const linesBefore = ({ bytes, encoding }: Sample, line: number, newline: 'lf' | 'cr'): readonly string[] =>
  decodeLossy(bytes, encoding)
    .split(newline === 'cr' ? '\r' : '\n', line - 1)
    .map((text) => text.trim())
    .filter((text) => !/^[\s,;|"]*$/.test(text));

/** `(kg)`, `[EUR]`, `varchar(20)`, `TT.MM.JJJJ` or a rule such as `-----`. */
const unit =
  /^(?:\(.*\)|\[.*\]|<.*>|[-=_+]{2,}|[TDJYMHS]{1,4}(?:[./-][TDJYMA]{1,4}){1,2}|(?:text|string|char|varchar|n?varchar2|date|datetime|timestamp|int|integer|number|numeric|decimal|float|bool|boolean|ja\/nein|yes\/no|[jy]\/n)(?:\(.*\))?)$/iu;

/** Whether at least half of the filled cells of a row are units, types or rules. A row with an address is a person. */
const isLineOfUnits = (cells: readonly string[]): boolean => {
  const filled = cells.filter((cell) => !isBlank(cell));
  if (filled.length === 0 || filled.some((cell) => isEmail(readMailbox(cell).trim().toLowerCase())))
    return false;
  return filled.filter((cell) => unit.test(cell.trim())).length * 2 >= filled.length;
};

/**
 * The doubt about rows with fewer cells than the header. `whole` are the other rows, which tell where the cells belong. Such
 * a row is well if its last cells are missing. Only its values can tell, or whole rows that have no values there either.
 */
const shortRows = (
  header: readonly string[],
  whole: readonly (readonly string[])[],
  short: readonly SampleRow[],
  shown: (row: SampleRow) => string,
): readonly Doubt[] => {
  const filled = whole.map((cells) => cells.findLastIndex((cell) => !isBlank(cell)) + 1);
  const columns = filled.length === 0 ? header.length : Math.max(...filled);
  const forms = formsOf(header, whole);
  const isSlid = ({ cells }: SampleRow): boolean => slidCell(cells, forms, [-1, -2]) !== undefined;
  const slid = short.filter(isSlid);
  const others = short.filter((row) => !slid.includes(row) && row.width < columns);
  const saw =
    slid.length === 0
      ? 'Rows have fewer cells than the header.'
      : `Rows have fewer cells than the header, and cells of ${slid.length} of them stand too far to the left, as where empty cells were left out.`;
  const does =
    'Takes the missing cells as empty cells at the end of the row. Where an empty cell before them was left out, values are stored in wrong columns: add its delimiter.';
  return doubtsAbout(null, [...slid, ...others].map(shown), { saw, does });
};

/** The share of cells of a column that must have one form, and the fewest cells, before other forms are noticed. */
const MOST = 0.8;
const FEWEST = 5;

/** The form of a column whose cells look alike, such as `9` for postal codes and `A` for codes of states. */
type Form = string | undefined;

/** The forms of the columns of a header. */
const formsOf = (header: readonly string[], rows: readonly (readonly string[])[]): readonly Form[] =>
  header.map((_, column) => formOf(rows.map((cells) => cells[column] ?? '')));

/**
 * Finds the rows in which no cell of a fixed form has it, and a cell to its right has it instead. Columns of words have
 * no fixed form, so rows are noticed only in a file with a column of numbers, dates, addresses or codes.
 */
const slidRows = (header: readonly string[], rows: readonly (readonly string[])[]): readonly Doubt[] => {
  const forms = formsOf(header, rows);
  const seen = rows.flatMap((cells) => {
    const column = slidCell(cells, forms, [1, 2]);
    return column === undefined ? [] : [`${header[column] ?? ''}: ${cells[column] ?? ''}`];
  });
  if (seen.length * 2 > rows.length) return [];
  const saw = 'Cells stand too far to the right, as behind a delimiter in a cell without quotes around it.';
  const does =
    'Stores each cell in the column in which it stands. Write the file again with quotes around such cells, or mend these rows.';
  return doubtsAbout(null, seen, { saw, does });
};

/** The first column whose cell stands in another column. `steps` are the distances to look at: above 0 to the right, below 0 to the left. */
const slidCell = (
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
  const [most] = [...countsOf(filled.map(shapeOf))].toSorted(([, one], [, other]) => other - one);
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
