import type { ExtraValue } from '../profiles/types.ts';
import type { Bytes } from './bytes.ts';

/**
 * A row between a part and the file: its fixed columns are printed already, the cells of `extra_data` wait until all
 * parts are there, because only then the columns are known. As bytes: two lengths (32 bits each), the line in UTF-8, the
 * extra data as a JSON array of keys and values in turn (nothing when there are none). An array, since an object would
 * not hold every name.
 */
export interface PartRow {
  readonly line: string;
  readonly extra: Readonly<Record<string, ExtraValue>> | undefined;
}

/** A packed row, its bytes not yet decoded: most are copied as they are. */
export interface PackedRow {
  readonly line: Buffer;
  readonly extra: Buffer;
}

const LENGTHS_BYTES = 8;
/** Packed rows are handed on in pieces of at least this. */
const PIECE_BYTES = 64 * 1024;

/** Packs rows, many to a piece. */
export async function* packRows(rows: AsyncIterable<readonly PartRow[]>): AsyncGenerator<Buffer> {
  let piece: Buffer[] = [];
  let size = 0;
  for await (const batch of rows)
    for (const row of batch) {
      const packed = packRow(row);
      piece.push(packed);
      size += packed.length;
      if (size < PIECE_BYTES) continue;
      yield Buffer.concat(piece);
      piece = [];
      size = 0;
    }
  if (size > 0) yield Buffer.concat(piece);
}

const packRow = ({ line, extra }: PartRow): Buffer => {
  const json = extra === undefined ? '' : JSON.stringify(Object.entries(extra).flat(1));
  const lineBytes = Buffer.byteLength(line);
  const packed = Buffer.allocUnsafe(LENGTHS_BYTES + lineBytes + Buffer.byteLength(json));
  packed.writeUInt32BE(lineBytes, 0);
  packed.writeUInt32BE(packed.length - LENGTHS_BYTES - lineBytes, 4);
  packed.write(line, LENGTHS_BYTES);
  packed.write(json, LENGTHS_BYTES + lineBytes);
  return packed;
};

/** Unpacks rows, as many at once as the pieces of the stream hold. Throws when the stream ends within a row. */
export async function* unpackRows(packed: Bytes): AsyncGenerator<readonly PackedRow[]> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of packed) {
    const bytes = Buffer.concat([held, piece]);
    const { rows, end } = unpack(bytes);
    held = bytes.subarray(end);
    if (rows.length > 0) yield rows;
  }
  if (held.length > 0) throw new Error('exports: a part ends within a row');
}

const unpack = (bytes: Buffer): { rows: readonly PackedRow[]; end: number } => {
  const rows: PackedRow[] = [];
  let at = 0;
  while (bytes.length - at >= LENGTHS_BYTES) {
    const line = at + LENGTHS_BYTES + bytes.readUInt32BE(at);
    const end = line + bytes.readUInt32BE(at + 4);
    if (end > bytes.length) break;
    rows.push({ line: bytes.subarray(at + LENGTHS_BYTES, line), extra: bytes.subarray(line, end) });
    at = end;
  }
  return { rows, end: at };
};

/** The extra data of a packed row, by key. */
export const readExtra = (packed: Buffer): ReadonlyMap<string, unknown> => {
  const flat: unknown = packed.length === 0 ? [] : JSON.parse(packed.toString());
  if (!Array.isArray(flat)) throw new Error('exports: a row whose extra data is no list');
  const extra = new Map<string, unknown>();
  for (let index = 0; index < flat.length; index += 2) extra.set(String(flat[index]), flat[index + 1]);
  return extra;
};
