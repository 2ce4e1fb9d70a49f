/** Row chunks: splits a CSV file into chunks of whole rows, for the split of files into batches. */
import type { Dialect } from './dialect.ts';
import { type Place, RowScanner } from './row-scanner.ts';

/** Consecutive rows of a file: its bytes from `start` up to, but not including, `end`. */
export interface RowChunk {
  readonly start: number;
  readonly end: number;
  /** Number (from 1) and line of the first row. */
  readonly row: number;
  readonly line: number;
  readonly rows: number;
  /** The chunk is a single row that is larger than a worker reads. */
  readonly tooLarge: boolean;
}

/** Maximum size of a chunk. */
export interface ChunkLimits {
  readonly rows: number;
  readonly bytes: number;
  /** A larger row gets a chunk of its own, and a worker refuses it without reading it. */
  readonly rowBytes: number;
}

/** The result at the end of a file. */
export interface FileEnd {
  /** The last chunk. */
  readonly chunks: readonly RowChunk[];
  /** The row with an unclosed quote, which is in no chunk. */
  readonly openQuote?: Place & { readonly row: number };
  /** The last row, if no line break ends it: the file may be truncated. */
  readonly unterminated?: { readonly row: number; readonly line: number };
}

/** Splits a stream of bytes into chunks of whole rows. It stores only offsets, so its memory is constant. */
export class RowChunker {
  readonly #limits: ChunkLimits;
  readonly #scanner: RowScanner;
  #open: RowChunk | undefined;
  #nextRow: number;
  #lastLine = 0;
  #lastEnds = true;
  #done: RowChunk[] = [];

  /** Begins at the start of the row with the number `row`. */
  constructor(dialect: Dialect, limits: ChunkLimits, origin: Place & { readonly row: number }) {
    this.#limits = limits;
    this.#nextRow = origin.row;
    this.#scanner = new RowScanner(dialect, origin, (start, end, next, line) => {
      this.#add({ start, end: next, line, rows: 1, tooLarge: end - start > limits.rowBytes });
      this.#lastLine = line;
      this.#lastEnds = next > end;
    });
  }

  /** Scans the next bytes, and returns the chunks that they complete. */
  push(bytes: Uint8Array): readonly RowChunk[] {
    this.#scanner.push(bytes);
    return this.#take();
  }

  /** Ends the file. */
  finish(): FileEnd {
    const open = this.#scanner.finish();
    this.#close();
    const chunks = this.#take();
    if (open) return { chunks, openQuote: { ...open, row: this.#nextRow } };
    return this.#lastEnds
      ? { chunks }
      : { chunks, unterminated: { row: this.#nextRow - 1, line: this.#lastLine } };
  }

  #add(found: Omit<RowChunk, 'row'>): void {
    const row = { ...found, row: this.#nextRow };
    this.#nextRow += 1;
    const open = this.#open;
    if (!open || !this.#fits(open, row)) {
      this.#close();
      this.#open = row;
    } else {
      this.#open = { ...open, end: row.end, rows: open.rows + 1 };
    }
  }

  #fits(open: RowChunk, row: RowChunk): boolean {
    const { rows, bytes } = this.#limits;
    return !open.tooLarge && !row.tooLarge && open.rows < rows && row.end - open.start <= bytes;
  }

  #close(): void {
    if (this.#open) this.#done.push(this.#open);
    this.#open = undefined;
  }

  #take(): readonly RowChunk[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }
}
