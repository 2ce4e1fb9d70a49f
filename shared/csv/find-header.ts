/** Find header: the delimiter under which the header of a file has the columns of its definition. */
import { err, ok, type Result } from '../runtime/result.ts';
import { type DelimiterChoice, delimiterNames, type Encoding } from './dialect.ts';
import { type Header, type HeaderFault, readHeader } from './read-header.ts';

/**
 * Reads the header with the delimiter of a definition. For `auto`: with the delimiter that yields all `wanted` columns. A
 * header of one column has no delimiter and counts as delimited by commas. When no delimiter yields all columns, the
 * header is returned as the delimiter with most of them reads it, so that the caller can name the missing columns.
 */
export const findHeader = (
  start: Buffer,
  encoding: Encoding,
  choice: DelimiterChoice,
  wanted: readonly string[],
): Result<Header, HeaderFault | 'ambiguous_delimiter'> => {
  if (choice !== 'auto') return readHeader(start, encoding, choice);
  const readings = delimiterNames.map((delimiter) => readHeader(start, encoding, delimiter));
  const headers = readings.flatMap((reading) => (reading.ok ? [reading.value] : []));
  const [best, second] = ranked(headers, wanted);
  if (!best) return readHeader(start, encoding, 'comma');
  const isTie = second && compare(best, second, wanted) === 0 && best.cells.length > 1;
  return isTie && hasAll(best, wanted) ? err('ambiguous_delimiter') : ok(best);
};

/** The readings of a header, best first: most wanted columns, then most columns. */
const ranked = (headers: readonly Header[], wanted: readonly string[]): readonly Header[] =>
  headers.toSorted((a, b) => compare(a, b, wanted));

const compare = (a: Header, b: Header, wanted: readonly string[]): number =>
  wantedIn(b, wanted) - wantedIn(a, wanted) || b.cells.length - a.cells.length;

/** Number of wanted columns in a header. */
export const wantedIn = ({ cells }: Header, wanted: readonly string[]): number => {
  const names = new Set(cells);
  return wanted.filter((name) => names.has(name)).length;
};

const hasAll = (header: Header, wanted: readonly string[]): boolean =>
  wantedIn(header, wanted) === wanted.length;
