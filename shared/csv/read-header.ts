/** `readHeader`: finds and parses the header row of a CSV file, for the inspection of files. */
import { limits } from '../config/limits.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { visibleText } from '../runtime/visible-text.ts';
import { decode, decodeLossy } from './decode.ts';
import { type Delimiter, delimiters, type Dialect, type Encoding } from './dialect.ts';
import { byteOrderMark, markedAs } from './find-encoding.ts';
import { statedDelimiter } from './no-row.ts';
import { parseRow } from './parse-row.ts';
import { type FoundRow, type Place, rowsIn, unitBytes } from './row-scanner.ts';

/** The header row of a file, and where its first data row starts. */
export interface Header {
  readonly dialect: Dialect;
  /** The text of the header row in the file. */
  readonly text: string;
  readonly cells: readonly string[];
  /** The line of the header. */
  readonly at: number;
  /** Whether a line before the header states this delimiter. */
  readonly isStated: boolean;
  readonly offset: number;
  readonly line: number;
}

/** How the first bytes of a file are read. */
export interface HeaderReading {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  readonly trim: boolean;
  /** The line of the header. `null`: the first line that is a row, and does not state the delimiter. */
  readonly headerLine: number | null;
}

/** Why a file has no usable header. */
export type HeaderFault = 'wrong_encoding' | 'no_header' | 'bad_header' | 'header_too_large';

/** Number of bytes that `readHeader` needs: the largest header, its byte order mark and its line break. */
export const headerWindow = limits.imports.headerBytes + 16;

/**
 * Reads the header from the first `headerWindow` bytes of a file in a known encoding and delimiter. Skips byte order
 * marks. The bytes show the line breaks.
 */
export const readHeader = (start: Buffer, reading: HeaderReading): Result<Header, HeaderFault> => {
  const { dialect, rows, stated } = rowsAtStart(start, reading);
  const [row] = rows;
  if (!row) return err(start.length < headerWindow ? 'no_header' : 'header_too_large');
  return headerAt(start, row, { dialect, stated });
};

/** The rows of the first bytes that parse, each read as the header: the header of `readHeader` and its next rows. */
export const possibleHeaders = (start: Buffer, reading: HeaderReading, most: number): readonly Header[] => {
  const { dialect, rows, stated } = rowsAtStart(start, reading);
  return rows.slice(0, most).flatMap((row) => {
    const header = headerAt(start, row, { dialect, stated });
    return header.ok ? [header.value] : [];
  });
};

/** The bytes of the header row. Empty when these bytes contain no complete row. */
export const headerBytes = (start: Buffer, reading: HeaderReading): Buffer => {
  const [row] = rowsAtStart(start, reading).rows;
  return start.subarray(row?.start ?? 0, row?.end ?? 0);
};

const headerAt = (
  start: Buffer,
  row: FoundRow,
  { dialect, stated }: Pick<StartOfFile, 'dialect' | 'stated'>,
): Result<Header, HeaderFault> => {
  const text = decode(start.subarray(row.start, row.end), dialect.encoding);
  if (text === undefined) return err('wrong_encoding');
  const cells = parseRow(text, delimiters[dialect.delimiter], dialect.trim);
  if (!cells.ok) return err('bad_header');
  return ok({
    dialect,
    text,
    cells: cells.value.map(visibleText),
    at: row.line,
    isStated: stated === dialect.delimiter,
    offset: row.next,
    line: row.line + lineEnds(start.subarray(row.start, row.next), dialect),
  });
};

interface StartOfFile {
  readonly dialect: Dialect;
  /** The complete rows from the header on. */
  readonly rows: readonly FoundRow[];
  /** The delimiter that the line before the header states. */
  readonly stated: Delimiter | null | undefined;
}

const rowsAtStart = (
  start: Buffer,
  { encoding, delimiter, trim, headerLine }: HeaderReading,
): StartOfFile => {
  const mark = byteOrderMark(start);
  const from = mark?.encoding === markedAs(encoding) ? mark.length : 0;
  const newline = newlineOf(start.subarray(from), { encoding, delimiter, trim });
  const dialect: Dialect = { encoding, delimiter, newline, trim };
  const rows = rowsFrom(start, { offset: from, line: 1 }, dialect);
  const [first] = rows;
  const stated = first && statedDelimiter(decodeLossy(start.subarray(first.start, first.end), encoding));
  if (headerLine === null) return { dialect, rows: stated === undefined ? rows : rows.slice(1), stated };
  const offset = offsetOfLine(start, from, { line: headerLine, dialect });
  return {
    dialect,
    rows: offset === undefined ? [] : rowsFrom(start, { offset, line: headerLine }, dialect),
    stated,
  };
};

/** The complete rows of these bytes. A row that the window truncates does not count. */
const rowsFrom = (bytes: Buffer, place: Place, dialect: Dialect): readonly FoundRow[] =>
  rowsIn(bytes.subarray(place.offset), place, dialect, bytes.length < headerWindow).rows;

/** Where a line begins, as an editor counts lines; `undefined` when these bytes have fewer lines. */
const offsetOfLine = (
  bytes: Buffer,
  from: number,
  { line, dialect }: { readonly line: number; readonly dialect: Dialect },
): number | undefined => {
  const width = unitBytes(dialect.encoding);
  let at = from;
  for (let seen = 1; at < bytes.length; at += width) {
    if (seen === line) return at;
    if (unitAt(bytes, at, dialect.encoding) === lineEndOf(dialect)) seen += 1;
  }
  return undefined;
};

const lineEndOf = ({ newline }: Dialect): number => (newline === 'cr' ? 0x0d : 0x0a);

const lineEnds = (bytes: Buffer, dialect: Dialect): number => {
  let count = 0;
  for (let at = 0; at < bytes.length; at += unitBytes(dialect.encoding))
    if (unitAt(bytes, at, dialect.encoding) === lineEndOf(dialect)) count += 1;
  return count;
};

/** The byte or the unit of UTF-16 at an offset. */
const unitAt = (bytes: Buffer, at: number, encoding: Encoding): number | undefined => {
  if (at + unitBytes(encoding) > bytes.length) return undefined;
  if (encoding === 'utf-16le') return bytes.readUInt16LE(at);
  return encoding === 'utf-16be' ? bytes.readUInt16BE(at) : bytes[at];
};

/** `cr` when the first line break outside quotes is a CR without a following LF. */
const newlineOf = (bytes: Buffer, syntax: Omit<Dialect, 'newline'>): Dialect['newline'] => {
  const { encoding } = syntax;
  const [first] = rowsIn(bytes, { offset: 0, line: 1 }, { ...syntax, newline: 'cr' }, false).rows;
  if (!first) return 'lf';
  const { end } = first;
  const next = end + unitBytes(encoding);
  return unitAt(bytes, end, encoding) === 0x0d && unitAt(bytes, next, encoding) !== 0x0a ? 'cr' : 'lf';
};
