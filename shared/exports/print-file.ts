import { createHash } from 'node:crypto';
import { extraJson, extraText } from './fields.ts';
import type { ExtraColumns, Layout } from './layout.ts';
import { headerOf } from './layout.ts';
import type { PackedRow } from './part-rows.ts';
import { readExtra } from './part-rows.ts';
import type { PrintStyle } from './print.ts';
import { LINE_END, printLine } from './print.ts';

/** Counts and hash of a file, true once its last byte was taken. */
interface FileTally {
  rows: number;
  bytes: number;
  readonly sha256: () => string;
}

/** A file on its way: its bytes, and what is known of them. */
export interface PrintedFile {
  readonly body: AsyncIterable<Uint8Array>;
  readonly tally: FileTally;
}

/** Prints the header and all rows, in the order given. Bounded memory: a batch of rows at a time. */
export const printFile = (
  { layout, style, columns }: { layout: Layout; style: PrintStyle; columns: ExtraColumns },
  batches: AsyncIterable<readonly PackedRow[]>,
): PrintedFile => {
  const hash = createHash('sha256');
  const tally: FileTally = { rows: 0, bytes: 0, sha256: () => hash.digest('hex') };
  const join = rowJoiner(style, columns);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield count(Buffer.from(printLine(style, headerOf(layout, columns)) + LINE_END));
    for await (const batch of batches) {
      tally.rows += batch.length;
      yield count(join(batch));
    }
  }
  const count = (bytes: Buffer): Buffer => {
    hash.update(bytes);
    tally.bytes += bytes.length;
    return bytes;
  };
  return { body: body(), tally };
};

const lineEnd = Buffer.from(LINE_END);
const nothing = Buffer.alloc(0);

/** Makes the lines of a batch: what is printed already is copied, the extra cells are put behind it. */
const rowJoiner = (style: PrintStyle, columns: ExtraColumns): ((batch: readonly PackedRow[]) => Buffer) => {
  if (columns.keys.length === 0)
    return (batch) => Buffer.concat(batch.flatMap(({ line }) => [line, lineEnd]));
  const tail = tailPrinter(style, columns);
  const empty = tail(nothing);
  return (batch) =>
    Buffer.concat(batch.flatMap(({ line, extra }) => [line, extra.length === 0 ? empty : tail(extra)]));
};

/** Prints the extra cells of a row, each after a delimiter, and the end of the line. */
const tailPrinter = (style: PrintStyle, { keys, rest }: ExtraColumns): ((extra: Buffer) => Buffer) => {
  const columns = new Set(keys);
  return (packed) => {
    const extra = readExtra(packed);
    const cells = keys.map((key) => extraText(extra.get(key)));
    if (rest) cells.push(extraJson([...extra].filter(([key]) => !columns.has(key))));
    return Buffer.from(style.delimiter + printLine(style, cells) + LINE_END);
  };
};
