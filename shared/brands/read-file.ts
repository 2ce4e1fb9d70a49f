/** Brand file: reads and checks a catalogue file (CSV) as a whole. */
import { limits } from '../config/limits.ts';
import { decode } from '../csv/decode.ts';
import { delimiters } from '../csv/dialect.ts';
import { parseRow } from '../csv/parse-row.ts';
import { headerWindow, readHeader, type HeaderFault } from '../csv/read-header.ts';
import { RowScanner } from '../csv/row-scanner.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { brandColumns, brandRow, type BrandRow } from './brand-row.ts';

/** A fault of a catalogue file, with its line from 1. Values are not repeated. */
export interface FileFault {
  readonly line: number;
  readonly message: string;
}

/**
 * Reads a catalogue file: UTF-8, commas, with the header line `page_id,brand,category`. Returns all rows, or the first
 * faults: a file with a single bad line is not loaded.
 */
export const readBrandFile = (bytes: Buffer): Result<readonly BrandRow[], readonly FileFault[]> => {
  if (bytes.length > limits.brands.fileBytes) return err([{ line: 1, message: 'The file is too large.' }]);
  const header = readHeader(bytes.subarray(0, headerWindow), reading);
  if (!header.ok) return err([{ line: 1, message: headerMessages[header.error] }]);
  const { cells, dialect, offset, line } = header.value;
  if (cells.join() !== brandColumns.join())
    return err([{ line: 1, message: `The header must be ${brandColumns.join()}.` }]);
  const read = new Reading();
  const scanner = new RowScanner(dialect, { offset, line }, (start, end, _next, at) => {
    read.take(bytes.subarray(start, end), at);
  });
  scanner.push(bytes.subarray(offset));
  const open = scanner.finish();
  if (open) read.refuse(open.line, 'A quote is never closed.');
  return read.result();
};

const reading = { encoding: 'utf-8', delimiter: 'comma', trim: false, headerLine: null } as const;

/** Collects the rows of a file and its first faults. */
class Reading {
  readonly #rows: BrandRow[] = [];
  readonly #lines = new Map<string, number>();
  readonly #faults: FileFault[] = [];

  take(bytes: Buffer, line: number): void {
    const row = this.#check(bytes);
    if (!row.ok) {
      this.refuse(line, row.error);
      return;
    }
    this.#lines.set(row.value.page, line);
    this.#rows.push(row.value);
  }

  #check(bytes: Buffer): Result<BrandRow, string> {
    const text = decode(bytes, 'utf-8');
    if (text === undefined) return err('Is not UTF-8.');
    const cells = parseRow(text, delimiters.comma);
    if (!cells.ok) return err('Its quotes are not as in RFC 4180.');
    const row = brandRow(cells.value);
    if (!row.ok) return row;
    const before = this.#lines.get(row.value.page);
    if (before !== undefined) return err(`Names the page of line ${before} again.`);
    const { pages } = limits.brands;
    return this.#rows.length < pages ? row : err(`There are more than ${pages} pages.`);
  }

  refuse(line: number, message: string): void {
    if (this.#faults.length < limits.brands.faults) this.#faults.push({ line, message });
  }

  result(): Result<readonly BrandRow[], readonly FileFault[]> {
    return this.#faults.length > 0 ? err(this.#faults) : ok(this.#rows);
  }
}

const headerMessages: Readonly<Record<HeaderFault, string>> = {
  wrong_encoding: 'The file is not UTF-8.',
  no_header: 'The file is empty.',
  bad_header: 'The quotes of the header are not as in RFC 4180.',
  header_too_large: 'The header is too large.',
};
