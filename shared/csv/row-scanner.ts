/** Row scanner: finds the rows of a CSV file in a stream of bytes, for every reader of files. */
import { type Dialect, delimiters, type Encoding } from './dialect.ts';

/**
 * Called for each row with three byte offsets (start of the row, end of its text, start of the next row) and its line
 * (from 1). The arguments are plain numbers for speed, because files have any number of rows.
 */
export type OnRow = (start: number, end: number, next: number, line: number) => void;

/** A place in a file: byte offset, and line from 1. */
export interface Place {
  readonly offset: number;
  readonly line: number;
}

/** Number of bytes of a syntax character (quote, delimiter, newline) in an encoding. */
export const unitBytes = (encoding: Encoding): 1 | 2 =>
  encoding === 'utf-16le' || encoding === 'utf-16be' ? 2 : 1;

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** Replaces a UTF-16 unit above 0xff, which is never a syntax character. */
const OTHER = 0xff;

const CELL_START = 0;
const PLAIN = 1;
const QUOTED = 2;

/** After a quote inside a quoted cell: the end of the cell, or the first of a doubled quote. */
const CLOSING = 3;

/**
 * Finds the ends of rows in a stream of bytes, in constant memory and independently of the pieces. A line break inside
 * quotes does not end a row. A quote opens a cell only at its start. The scanner skips blank lines. It reports no
 * syntax errors; `parseRow` does.
 */
export class RowScanner {
  readonly #dialect: Dialect;
  readonly #onRow: OnRow;
  #state = CELL_START;
  #offset: number;
  #line: number;
  #rowStart: number;
  #rowLine: number;
  /** The last unit of the previous piece. */
  #last = 0;
  /** First byte of a two-byte unit that spans two pieces. */
  #half: number | undefined;

  constructor(dialect: Dialect, origin: Place, onRow: OnRow) {
    this.#dialect = dialect;
    this.#onRow = onRow;
    this.#offset = this.#rowStart = origin.offset;
    this.#line = this.#rowLine = origin.line;
  }

  /** Scans the next bytes of the file. */
  push(bytes: Uint8Array): void {
    this.#scan(unitBytes(this.#dialect.encoding) === 1 ? bytes : this.#unitsOf(bytes));
  }

  /** Ends the last row, which may lack a line break. Returns the start of that row when a quote is still open. */
  finish(): Place | undefined {
    if (this.#state === QUOTED) return { offset: this.#rowStart, line: this.#rowLine };
    const end = this.#offset + (this.#half === undefined ? 0 : 1);
    if (end > this.#rowStart) this.#onRow(this.#rowStart, end, end, this.#rowLine);
    return undefined;
  }

  #scan(units: Uint8Array): void {
    const delimiter = delimiters[this.#dialect.delimiter].charCodeAt(0);
    const lineEnd = this.#dialect.newline === 'cr' ? CR : LF;
    let state = this.#state;
    for (let index = 0; index < units.length; index += 1) {
      const unit = units[index] ?? OTHER;
      if (state === QUOTED) {
        if (unit === QUOTE) state = CLOSING;
        else if (unit === lineEnd) this.#line += 1;
      } else if (unit === LF || unit === lineEnd) {
        if (unit === lineEnd) this.#line += 1;
        this.#endRow(index, index > 0 ? units[index - 1] : this.#last);
        state = CELL_START;
      } else if (unit === delimiter) {
        state = CELL_START;
      } else if (unit === QUOTE) {
        state = state === PLAIN ? PLAIN : QUOTED;
      } else {
        state = PLAIN;
      }
    }
    this.#state = state;
    this.#last = units.at(-1) ?? this.#last;
    this.#offset += units.length * unitBytes(this.#dialect.encoding);
  }

  /** Ends the row at the line break with this index in the present piece. A CR before an LF belongs to the line break. */
  #endRow(index: number, before: number | undefined): void {
    const width = unitBytes(this.#dialect.encoding);
    const at = this.#offset + index * width;
    const end = before === CR && at > this.#rowStart ? at - width : at;
    const next = at + width;
    if (end > this.#rowStart) this.#onRow(this.#rowStart, end, next, this.#rowLine);
    this.#rowStart = next;
    this.#rowLine = this.#line;
  }

  /** One byte per UTF-16 unit, so that the scan handles a single width. */
  #unitsOf(bytes: Uint8Array): Uint8Array {
    const whole = this.#half === undefined ? bytes : Buffer.concat([Uint8Array.of(this.#half), bytes]);
    this.#half = whole.length % 2 === 1 ? whole.at(-1) : undefined;
    const units = new Uint8Array(Math.floor(whole.length / 2));
    const low = this.#dialect.encoding === 'utf-16le' ? 0 : 1;
    for (let at = 0; at < units.length; at += 1)
      units[at] = whole[2 * at + 1 - low] === 0 ? (whole[2 * at + low] ?? OTHER) : OTHER;
    return units;
  }
}
