/** Row scanner: finds the rows of a CSV file in a stream of bytes, for every reader of files. */
import { decode } from './decode.ts';
import { type Dialect, delimiters, type Encoding } from './dialect.ts';
import { isRowOfNothing } from './no-row.ts';
import { parseRow } from './parse-row.ts';

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
const SPACE = 0x20;
const ASCII = 0x7f;

/** What old programs write behind the end of a text: padding, or the mark of its end. */
const NUL = 0x00;
const END_OF_TEXT = 0x1a;

const isPadding = (unit: number | undefined): boolean => unit === NUL || unit === END_OF_TEXT;

/** Replaces a unit that is never a syntax character: a UTF-16 unit above ASCII, or the second byte of a character. */
const OTHER = 0xff;

/** Replaces the UTF-16 unit of a byte order mark. */
const MARK = 0xfe;

/** The bytes of a byte order mark of UTF-8. */
const [MARK_1, MARK_2, MARK_3] = [0xef, 0xbb, 0xbf];

/** The low byte of a byte order mark of UTF-16; its high byte is 0xfe. */
const MARK_OF_UTF_16 = 0xff;

/**
 * Code pages in which the second byte of a character may be that of `|`, with the ranges of first bytes. In these and all
 * other code pages no byte of a character is that of a quote, a line break or another delimiter.
 */
const leadBytes: Partial<Record<Encoding, (byte: number) => boolean>> = {
  shift_jis: (byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc),
  big5: (byte) => byte >= 0x81 && byte <= 0xfe,
  gb18030: (byte) => byte >= 0x81 && byte <= 0xfe,
};

/** The smallest second byte of a character. A smaller byte after a first byte is a character of its own. */
const FIRST_SECOND_BYTE = 0x40;

const CELL_START = 0;
const PLAIN = 1;
const QUOTED = 2;

/** After a quote inside a quoted cell: the end of the cell, or the first of a doubled quote. */
const CLOSING = 3;

/** White space at the start of a cell. */
const SPACES = 4;

/** After the first byte, and after the second byte, of a byte order mark at the start of a row. */
const MARKED_1 = 5;
const MARKED_2 = 6;

/** What a row holds so far: delimiters and white space only; also quotes or characters that may be invisible; text. */
const NOTHING = 0;
const PERHAPS = 1;
const TEXT = 2;

const none = new Uint8Array(0);

/** A longer row without visible ASCII characters counts as a row. */
const MOST_HELD = 4_096;

/**
 * Finds the ends of rows in a stream of bytes, in constant memory and independently of the pieces. A line break inside
 * quotes does not end a row. A quote opens a cell only at its start; with `trim`, white space may stand before it. The
 * scanner skips blank lines and rows of nothing, byte order marks before a row, and the padding at the end of a file. It
 * reports no syntax errors; `parseRow` does.
 */
export class RowScanner {
  readonly #dialect: Dialect;
  readonly #width: 1 | 2;
  readonly #onRow: OnRow;
  /** Whether a byte begins a character of two bytes; `undefined` where second bytes are never syntax. */
  readonly #isLead: ((byte: number) => boolean) | undefined;
  /** Whether the last byte of the previous piece begins a character of two bytes. */
  #afterLead = false;
  #state = CELL_START;
  #content = NOTHING;
  #offset: number;
  #line: number;
  #rowStart: number;
  #rowLine: number;
  /** The last unit of the previous piece. */
  #last = 0;
  /** First byte of a two-byte unit that spans two pieces. */
  #half: number | undefined;
  /** The bytes of the present piece, and those of the present row from earlier pieces, if they are few. */
  #piece: Uint8Array = none;
  #held: Uint8Array = none;
  /** Number of units of padding at the end of the bytes so far. */
  #padding = 0;

  constructor(dialect: Dialect, origin: Place, onRow: OnRow) {
    this.#dialect = dialect;
    this.#width = unitBytes(dialect.encoding);
    this.#onRow = onRow;
    this.#isLead = leadBytes[dialect.encoding];
    this.#offset = this.#rowStart = origin.offset;
    this.#line = this.#rowLine = origin.line;
  }

  /** The offset at which the present row starts. */
  get rowStart(): number {
    return this.#rowStart;
  }

  /** Scans the next bytes of the file. */
  push(bytes: Uint8Array): void {
    const whole = this.#half === undefined ? bytes : Buffer.concat([Uint8Array.of(this.#half), bytes]);
    this.#piece = whole;
    const units = this.#unitsOf(whole);
    this.#scan(units);
    this.#notePadding(units);
    const length = units.length * this.#width;
    this.#hold(this.#offset + length);
    this.#last = units.at(-1) ?? this.#last;
    this.#offset += length;
    this.#half = whole.length > length ? whole.at(-1) : undefined;
    this.#piece = none;
  }

  /** Ends the last row, which may lack a line break. Returns the start of that row when a quote is still open. */
  finish(): Place | undefined {
    if (this.#state === QUOTED) return { offset: this.#rowStart, line: this.#rowLine };
    const isHalf = this.#half !== undefined && !isPadding(this.#half);
    // Half a character is no text, and its row says so.
    if (isHalf) this.#content = TEXT;
    const next = this.#offset + (isHalf ? 1 : 0);
    this.#report(isHalf ? next : next - this.#padding * this.#width, next);
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
        // Nearly all characters in quotes come after the first: a look is faster than a write.
        else if (this.#content !== TEXT && unit > SPACE && unit < ASCII) this.#content = TEXT;
      } else if (unit === LF || unit === lineEnd) {
        if (unit === lineEnd) this.#line += 1;
        this.#endRow(index, index > 0 ? units[index - 1] : this.#last);
        state = CELL_START;
      } else if (unit === delimiter) {
        state = CELL_START;
      } else if (state !== PLAIN) {
        state = this.#enter(state, unit, index);
      }
    }
    this.#state = state;
  }

  /** The state after a unit at which a cell may begin or has ended. Line breaks and delimiters are none. */
  #enter(state: number, unit: number, index: number): number {
    if (unit === QUOTE) {
      if (this.#content === NOTHING) this.#content = PERHAPS;
      const opens = state === CELL_START || state === CLOSING || (state === SPACES && this.#dialect.trim);
      return opens ? QUOTED : PLAIN;
    }
    const marked = this.#markState(state, unit, index);
    if (marked !== undefined) return marked;
    if (unit <= SPACE) return state === CELL_START || state === SPACES ? SPACES : PLAIN;
    if (unit < ASCII) this.#content = TEXT;
    else if (this.#content === NOTHING) this.#content = PERHAPS;
    return PLAIN;
  }

  /**
   * The state after a unit of a byte order mark or of padding at the start of a row, as in files that were joined. The row
   * starts behind it. `undefined` for every other unit.
   */
  #markState(state: number, unit: number, index: number): number | undefined {
    const at = this.#offset + index * this.#width;
    const isFirst = state === CELL_START && at === this.#rowStart;
    if (isFirst && this.#width === 1 && unit === MARK_1) {
      this.#content = PERHAPS;
      return MARKED_1;
    }
    if (state === MARKED_1 && unit === MARK_2) return MARKED_2;
    const isWhole = state === MARKED_2 && unit === MARK_3;
    if (!isWhole && !(isFirst && (isPadding(unit) || (this.#width === 2 && unit === MARK)))) return undefined;
    this.#rowStart = at + this.#width;
    this.#content = NOTHING;
    this.#held = none;
    return CELL_START;
  }

  /** Ends the row at the line break with this index in the present piece. A CR before an LF belongs to the line break. */
  #endRow(index: number, before: number | undefined): void {
    const at = this.#offset + index * this.#width;
    const next = at + this.#width;
    this.#report(before === CR && at > this.#rowStart ? at - this.#width : at, next);
    this.#rowStart = next;
    this.#rowLine = this.#line;
    this.#content = NOTHING;
    if (this.#held.length > 0) this.#held = none;
  }

  #report(end: number, next: number): void {
    if (end <= this.#rowStart || this.#content === NOTHING) return;
    if (this.#content === PERHAPS && this.#holdsNothing(end)) return;
    this.#onRow(this.#rowStart, end, next, this.#rowLine);
  }

  /** Whether the cells of the present row show nothing. */
  #holdsNothing(end: number): boolean {
    if (end - this.#rowStart > MOST_HELD) return false;
    const text = decode(Buffer.from(this.#rowSoFar(end)), this.#dialect.encoding);
    if (text === undefined) return false;
    const cells = parseRow(text, delimiters[this.#dialect.delimiter], this.#dialect.trim);
    return cells.ok && isRowOfNothing(cells.value);
  }

  /** The bytes of the present row up to `end`. */
  #rowSoFar(end: number): Uint8Array {
    const part = this.#piece.subarray(
      Math.max(0, this.#rowStart - this.#offset),
      Math.max(0, end - this.#offset),
    );
    return this.#held.length === 0
      ? part
      : Buffer.concat([this.#held, part]).subarray(0, end - this.#rowStart);
  }

  /** Holds the start of a row that may be a row of nothing, and that ends in a later piece. */
  #hold(end: number): void {
    const isNeeded = this.#content !== TEXT && end - this.#rowStart <= MOST_HELD;
    this.#held = isNeeded ? Uint8Array.from(this.#rowSoFar(end)) : none;
  }

  #notePadding(units: Uint8Array): void {
    let at = units.length;
    while (at > 0 && isPadding(units[at - 1])) at -= 1;
    this.#padding = at === 0 ? this.#padding + units.length : units.length - at;
  }

  /** One byte for each unit of syntax, so that the scan handles a single width. */
  #unitsOf(bytes: Uint8Array): Uint8Array {
    if (this.#width === 2) return this.#unitsOfUtf16(bytes);
    return this.#isLead ? this.#withoutSecondBytes(bytes, this.#isLead) : bytes;
  }

  #unitsOfUtf16(bytes: Uint8Array): Uint8Array {
    const units = new Uint8Array(Math.floor(bytes.length / 2));
    const low = this.#dialect.encoding === 'utf-16le' ? 0 : 1;
    for (let at = 0; at < units.length; at += 1) {
      const unit = bytes[2 * at + low] ?? OTHER;
      const high = bytes[2 * at + 1 - low];
      if (high === 0) units[at] = unit > ASCII ? OTHER : unit;
      else units[at] = high === 0xfe && unit === MARK_OF_UTF_16 ? MARK : OTHER;
    }
    return units;
  }

  /** The bytes with `OTHER` in place of the second byte of each character. */
  #withoutSecondBytes(bytes: Uint8Array, isLead: (byte: number) => boolean): Uint8Array {
    const units = Uint8Array.from(bytes);
    let afterLead = this.#afterLead;
    for (let at = 0; at < units.length; at += 1) {
      const byte = units[at] ?? 0;
      if (afterLead && byte >= FIRST_SECOND_BYTE) {
        units[at] = OTHER;
        afterLead = false;
      } else {
        afterLead = isLead(byte);
      }
    }
    this.#afterLead = afterLead;
    return units;
  }
}

/** A row in some bytes. `next` is where the row after it begins. */
export interface FoundRow {
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly line: number;
}

/**
 * The rows in some bytes, of which `place` is the first. `isWhole` says that nothing follows these bytes: then the last row
 * counts. `open` is the row with a quote that nothing closes.
 */
export const rowsIn = (
  bytes: Uint8Array,
  place: Place,
  dialect: Dialect,
  isWhole = true,
): { readonly rows: readonly FoundRow[]; readonly open: Place | undefined } => {
  const rows: FoundRow[] = [];
  const scanner = new RowScanner(dialect, place, (start, end, next, line) => {
    rows.push({ start, end, next, line });
  });
  scanner.push(bytes);
  return { rows, open: isWhole ? scanner.finish() : undefined };
};
