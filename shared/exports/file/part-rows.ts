/** Part rows: packs the rows of a part into blocks of bytes, and unpacks them for the file. */
import type { ExtraValue } from '../../profiles/types.ts';
import { byteReader, type ByteReader, type Bytes } from '../../runtime/bytes.ts';

/**
 * A row between a part and the file: its fixed columns are printed. The cells of `extra_data` follow once all parts
 * exist, because their columns depend on all parts.
 */
export interface PartRow {
  /** Without its line end. */
  readonly line: string;
  readonly extra: Readonly<Record<string, ExtraValue>> | undefined;
}

/** Rows of a part as bytes. Most rows are copied without decoding. */
export interface PackedRows {
  readonly count: number;
  /** All lines with their line ends: the content of a file without columns of `extra_data`. */
  readonly lines: Buffer;
  /** The same lines one by one, each without its line end and with its extra data. */
  readonly rows: () => Iterable<PackedRow>;
}

/** A packed row. `readExtra` decodes `extra`, which is empty for a row without extra data. */
export interface PackedRow {
  readonly line: Buffer;
  readonly extra: Buffer;
}

/*
 * Rows as bytes, many in a block:
 *
 *     block = rows(4) lines(4) extras(4) (line(4) extra(4))* line* extra*
 *
 * The head has the number of rows, and the bytes of all lines and of all extra data. Then follow the two lengths of each row; the
 * lines in UTF-8, each with its line end; and the extra data, each as a JSON array of alternating keys and values (no bytes for a row
 * without extra data). An array, because an object cannot have every name as a key.
 */

/** A block is complete once its lines and its extra data have this many bytes: readers take a block into memory. */
const BLOCK_BYTES = 64 * 1024;
const HEAD_BYTES = 12;
const LENGTHS_BYTES = 8;

/** Most bytes of one UTF-16 code unit. */
const UTF8_BYTES = 3;

/** Packs rows, many to a block. `lineEnd`, of ASCII characters, follows each line. */
export async function* packRows(
  rows: AsyncIterable<Iterable<PartRow>>,
  lineEnd: string,
): AsyncGenerator<Buffer> {
  const block = new Block(lineEnd);
  for await (const batch of rows) {
    for (const row of batch) {
      block.add(row);
      if (block.size >= BLOCK_BYTES) yield block.take();
    }
  }
  if (block.size > 0) yield block.take();
}

/** A growing block. Its memory is reused for the next block. */
class Block {
  /** Bytes of the lines and of the extra data so far. */
  get size(): number {
    return this.#lineBytes + this.#extraBytes;
  }
  #lineBytes = 0;
  #extraBytes = 0;
  #lines = Buffer.allocUnsafe(2 * BLOCK_BYTES);
  #extras: Buffer[] = [];
  #lengths: number[] = [];
  readonly #lineEnd: string;

  constructor(lineEnd: string) {
    this.#lineEnd = lineEnd;
  }

  add({ line, extra }: PartRow): void {
    const end = this.#lineEnd;
    this.#reserve(line.length * UTF8_BYTES + end.length);
    const bytes = this.#lines.write(line, this.#lineBytes);
    this.#lines.write(end, this.#lineBytes + bytes, 'latin1');
    this.#lineBytes += bytes + end.length;
    const packed = extra && Buffer.from(JSON.stringify(Object.entries(extra).flat(1)));
    if (packed) this.#extras.push(packed);
    this.#extraBytes += packed?.length ?? 0;
    this.#lengths.push(bytes + end.length, packed?.length ?? 0);
  }

  take(): Buffer {
    const head = Buffer.allocUnsafe(HEAD_BYTES + this.#lengths.length * 4);
    let at = head.writeUInt32BE(this.#lengths.length / 2, 0);
    at = head.writeUInt32BE(this.#lineBytes, at);
    at = head.writeUInt32BE(this.#extraBytes, at);
    for (const length of this.#lengths) at = head.writeUInt32BE(length, at);
    const packed = Buffer.concat([head, this.#lines.subarray(0, this.#lineBytes), ...this.#extras]);
    this.#lineBytes = 0;
    this.#extraBytes = 0;
    this.#extras = [];
    this.#lengths = [];
    return packed;
  }

  #reserve(bytes: number): void {
    const needed = this.#lineBytes + bytes;
    if (needed <= this.#lines.length) return;
    const larger = Buffer.allocUnsafe(2 * needed);
    this.#lines.copy(larger, 0, 0, this.#lineBytes);
    this.#lines = larger;
  }
}

/** Unpacks rows that were packed with this line end, a block at a time. Throws when the stream ends within a block. */
export async function* unpackRows(packed: Bytes, lineEnd: string): AsyncGenerator<PackedRows> {
  const reader = byteReader(packed);
  try {
    for (;;) {
      const block = await readBlock(reader, lineEnd.length);
      if (!block) return;
      yield block;
    }
  } finally {
    await reader.close();
  }
}

const readBlock = async (reader: ByteReader, endBytes: number): Promise<PackedRows | undefined> => {
  const head = await reader.upTo(HEAD_BYTES);
  if (head.length === 0) return undefined;
  if (head.length < HEAD_BYTES) throw endsEarly();
  const count = head.readUInt32BE(0);
  const lineBytes = head.readUInt32BE(4);
  const lengthBytes = count * LENGTHS_BYTES;
  const body = await reader.read(lengthBytes + lineBytes + head.readUInt32BE(8));
  if (!body) throw endsEarly();
  const lengths = body.subarray(0, lengthBytes);
  const lines = body.subarray(lengthBytes, lengthBytes + lineBytes);
  const extras = body.subarray(lengthBytes + lineBytes);
  return { count, lines, rows: () => rowsOf({ lengths, lines, extras }, endBytes) };
};

const endsEarly = (): Error => new Error('exports: a part ends within a row');

function* rowsOf(
  { lengths, lines, extras }: Readonly<Record<'lengths' | 'lines' | 'extras', Buffer>>,
  endBytes: number,
): Generator<PackedRow, void> {
  let [line, extra] = [0, 0];
  for (let at = 0; at < lengths.length; at += LENGTHS_BYTES) {
    const lineEnd = line + lengths.readUInt32BE(at);
    const extraEnd = extra + lengths.readUInt32BE(at + 4);
    yield { line: lines.subarray(line, lineEnd - endBytes), extra: extras.subarray(extra, extraEnd) };
    [line, extra] = [lineEnd, extraEnd];
  }
}

/** The extra data of a packed row, by key. */
export const readExtra = (packed: Buffer): ReadonlyMap<string, unknown> => {
  const flat: unknown = packed.length === 0 ? [] : JSON.parse(packed.toString());
  if (!Array.isArray(flat)) throw new Error('exports: a row whose extra data is no list');
  const extra = new Map<string, unknown>();
  for (let index = 0; index < flat.length; index += 2) extra.set(String(flat[index]), flat[index + 1]);
  return extra;
};
