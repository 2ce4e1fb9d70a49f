/** Row stream: finds the rows of a CSV file with their bytes in one pass, in bounded memory. */
import type { Dialect } from './dialect.ts';
import { RowScanner } from './row-scanner.ts';

/** The rows that one piece of a file completes. */
export interface RowPiece {
  /** The bytes of each row; `undefined` for a row that is larger than `rowBytes`. */
  readonly rows: readonly (Buffer | undefined)[];
  /** The offset behind the last row, where a later pass can continue. */
  readonly next: number;
}

interface FoundRow {
  readonly start: number;
  readonly end: number;
}

/**
 * Yields the rows of a stream of bytes that begins at the start of a row, at `offset`. At most one row of `rowBytes`
 * and one piece of the stream are in memory. A row with a quote that is never closed is not yielded.
 */
export async function* streamRows(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  dialect: Dialect,
  { offset, rowBytes }: { readonly offset: number; readonly rowBytes: number },
): AsyncGenerator<RowPiece> {
  let found: FoundRow[] = [];
  let next = offset;
  const scanner = new RowScanner(dialect, { offset, line: 1 }, (start, end, following) => {
    found.push({ start, end });
    next = following;
  });
  let held: Buffer = Buffer.alloc(0);
  let heldFrom = offset;
  const take = (): RowPiece => {
    const rows = found.map(({ start, end }) =>
      start < heldFrom || end - start > rowBytes
        ? undefined
        : held.subarray(start - heldFrom, end - heldFrom),
    );
    found = [];
    return { rows, next };
  };
  for await (const piece of pieces) {
    held = held.length === 0 ? Buffer.from(piece) : Buffer.concat([held, piece]);
    scanner.push(piece);
    if (found.length > 0) yield take();
    // Only the start of the present row is needed. The start of a row that is too large is dropped.
    const from = Math.max(scanner.rowStart, heldFrom);
    held = held.subarray(from - heldFrom);
    heldFrom = from;
    if (held.length > rowBytes) {
      heldFrom += held.length;
      held = Buffer.alloc(0);
    }
  }
  scanner.finish();
  if (found.length > 0) yield take();
}
