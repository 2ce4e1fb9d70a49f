/** `readHeader`: parses the header row of a CSV file, for the inspection of files. */
import { limits } from '../config/limits.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { visibleText } from '../runtime/visible-text.ts';
import { decode } from './decode.ts';
import { type Delimiter, delimiters, type Dialect, type Encoding } from './dialect.ts';
import { byteOrderMark } from './find-encoding.ts';
import { parseRow } from './parse-row.ts';
import { RowScanner, unitBytes } from './row-scanner.ts';

/** The header row of a file, and where its first data row starts. */
export interface Header {
  readonly dialect: Dialect;
  /** The text of the header row in the file. */
  readonly text: string;
  readonly cells: readonly string[];
  readonly offset: number;
  readonly line: number;
}

/** Why a file has no usable header. */
export type HeaderFault = 'wrong_encoding' | 'no_header' | 'bad_header' | 'header_too_large';

/** Number of bytes that `readHeader` needs: the largest header, its byte order mark and its line break. */
export const headerWindow = limits.imports.headerBytes + 16;

/**
 * Reads the header from the first `headerWindow` bytes of a file in a known encoding and delimiter. Skips a byte order
 * mark of this encoding. The header shows the line breaks.
 */
export const readHeader = (
  start: Buffer,
  encoding: Encoding,
  delimiter: Delimiter,
): Result<Header, HeaderFault> => {
  const { dialect, row } = findRow(start, encoding, delimiter);
  if (!row) return err(start.length < headerWindow ? 'no_header' : 'header_too_large');
  const text = decode(start.subarray(row.start, row.end), encoding);
  if (text === undefined) return err('wrong_encoding');
  const cells = parseRow(text, delimiters[delimiter]);
  if (!cells.ok) return err('bad_header');
  return ok({
    dialect,
    text,
    cells: cells.value.map(visibleText),
    offset: row.next,
    line: row.nextLine,
  });
};

/** The bytes of the header row. Empty when these bytes contain no complete row. */
export const headerBytes = (start: Buffer, { encoding, delimiter }: Omit<Dialect, 'newline'>): Buffer => {
  const { row } = findRow(start, encoding, delimiter);
  return start.subarray(row?.start ?? 0, row?.end ?? 0);
};

const findRow = (
  start: Buffer,
  encoding: Encoding,
  delimiter: Delimiter,
): { readonly dialect: Dialect; readonly row: FirstRow | undefined } => {
  const mark = byteOrderMark(start);
  const from = mark?.encoding === encoding ? mark.length : 0;
  const newline = newlineOf(start.subarray(from), encoding, delimiter);
  const dialect: Dialect = { encoding, delimiter, newline };
  return { dialect, row: firstRow(start, from, dialect) };
};

interface FirstRow {
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly nextLine: number;
}

/** The first row that is not blank; `undefined` when these bytes contain no complete row. */
const firstRow = (bytes: Buffer, from: number, dialect: Dialect): FirstRow | undefined => {
  const rows: { start: number; end: number; next: number; line: number }[] = [];
  const scanner = new RowScanner(dialect, { offset: from, line: 1 }, (start, end, next, line) => {
    rows.push({ start, end, next, line });
  });
  scanner.push(bytes.subarray(from));
  // A row that the window truncates does not count.
  if (bytes.length < headerWindow) scanner.finish();
  const [first] = rows;
  if (!first) return undefined;
  const { start, end, next, line } = first;
  return { start, end, next, nextLine: line + lineEnds(bytes.subarray(start, next), dialect) };
};

const lineEnds = (bytes: Buffer, { newline, encoding }: Dialect): number => {
  const lineEnd = newline === 'cr' ? 0x0d : 0x0a;
  let count = 0;
  for (let at = 0; at < bytes.length; at += unitBytes(encoding))
    if (unitAt(bytes, at, encoding) === lineEnd) count += 1;
  return count;
};

/** The byte or the unit of UTF-16 at an offset. */
const unitAt = (bytes: Buffer, at: number, encoding: Encoding): number | undefined => {
  if (at + unitBytes(encoding) > bytes.length) return undefined;
  if (encoding === 'utf-16le') return bytes.readUInt16LE(at);
  return encoding === 'utf-16be' ? bytes.readUInt16BE(at) : bytes[at];
};

/** `cr` when the first line break outside quotes is a CR without a following LF. */
const newlineOf = (bytes: Buffer, encoding: Encoding, delimiter: Delimiter): Dialect['newline'] => {
  const ends: number[] = [];
  const scanner = new RowScanner({ encoding, delimiter, newline: 'cr' }, { offset: 0, line: 1 }, (_, end) => {
    ends.push(end);
  });
  scanner.push(bytes);
  const [end] = ends;
  if (end === undefined) return 'lf';
  const next = end + unitBytes(encoding);
  return unitAt(bytes, end, encoding) === 0x0d && unitAt(bytes, next, encoding) !== 0x0a ? 'cr' : 'lf';
};
