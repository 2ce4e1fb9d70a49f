/** Find header: the delimiter under which the header of a file has the columns of its definition. */
import { err, ok, type Result } from '../runtime/result.ts';
import { type DelimiterChoice, delimiterNames } from './dialect.ts';
import {
  type Header,
  type HeaderFault,
  type HeaderReading,
  possibleHeaders,
  readHeader,
} from './read-header.ts';

/** How a definition says that the first bytes of a file are read, and the columns that it wants. */
export interface HeaderSearch extends Omit<HeaderReading, 'delimiter'> {
  readonly choice: DelimiterChoice;
  readonly wanted: readonly string[];
}

/**
 * Reads the header with the delimiter of a definition. For `auto`: with the delimiter that yields all `wanted` columns. A
 * header of one column has no delimiter and counts as delimited by commas. When no delimiter yields all columns, the
 * header is returned as the delimiter with most of them reads it, so that the caller can name the missing columns.
 */
export const findHeader = (
  start: Buffer,
  { choice, wanted, ...reading }: HeaderSearch,
): Result<Header, HeaderFault | 'ambiguous_delimiter'> => {
  if (choice !== 'auto') return readHeader(start, { ...reading, delimiter: choice });
  const readings = delimiterNames.map((delimiter) => readHeader(start, { ...reading, delimiter }));
  const headers = readings.flatMap((read) => (read.ok ? [read.value] : []));
  const [best, second] = ranked(headers, wanted);
  if (!best) return readHeader(start, { ...reading, delimiter: 'comma' });
  const isTie = second && compare(best, second, wanted) === 0 && best.cells.length > 1;
  return isTie && hasAll(best, wanted) ? err('ambiguous_delimiter') : ok(best);
};

/** Rows of a file among which a later header is sought. */
const HEADER_ROWS = 20;

/** A later row of the file that has more of the wanted columns than its header, and most of all rows. */
export const laterHeader = (
  start: Buffer,
  header: Header,
  { choice, wanted, ...reading }: HeaderSearch,
): Header | undefined => {
  const chosen = choice === 'auto' ? delimiterNames : [choice];
  const rows = chosen.flatMap((delimiter) =>
    possibleHeaders(start, { ...reading, headerLine: null, delimiter }, HEADER_ROWS),
  );
  const most = wantedIn(header, wanted);
  return ranked(
    rows.filter((row) => wantedIn(row, wanted) > most),
    wanted,
  )[0];
};

/** The readings of a header, best first: most wanted columns, then the stated delimiter, then most columns. */
const ranked = (headers: readonly Header[], wanted: readonly string[]): readonly Header[] =>
  headers.toSorted((a, b) => compare(a, b, wanted));

const compare = (a: Header, b: Header, wanted: readonly string[]): number =>
  wantedIn(b, wanted) - wantedIn(a, wanted) ||
  Number(b.isStated) - Number(a.isStated) ||
  b.cells.length - a.cells.length;

/** Number of wanted columns in a header. */
export const wantedIn = ({ cells }: Header, wanted: readonly string[]): number => {
  const names = new Set(cells);
  return wanted.filter((name) => names.has(name)).length;
};

const hasAll = (header: Header, wanted: readonly string[]): boolean =>
  wantedIn(header, wanted) === wanted.length;
