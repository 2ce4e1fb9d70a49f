import { extraJson, extraText } from '../model/fields.ts';
import { headerOf, type ExtraColumns, type Layout } from './layout.ts';
import { PlainFile } from './outgoing-file.ts';
import { readExtra, type PackedRows } from './part-rows.ts';
import { LINE_END, printLine, type PrintStyle } from '../../csv/print-line.ts';

/** A printed file, and the number of its rows, valid once the reader took its last byte. */
export interface PrintedFile {
  readonly file: PlainFile;
  readonly tally: { rows: number };
}

/** Prints the header and all rows in the given order, in bounded memory: one batch of rows at a time. */
export const printFile = (
  { layout, style, columns }: { layout: Layout; style: PrintStyle; columns: ExtraColumns },
  batches: AsyncIterable<PackedRows>,
): PrintedFile => {
  const tally = { rows: 0 };
  const join = rowJoiner(style, columns);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(printLine(style, headerOf(layout, columns)) + LINE_END);
    for await (const batch of batches) {
      tally.rows += batch.count;
      yield join(batch);
    }
  }
  return { file: new PlainFile(body()), tally };
};

const nothing = Buffer.alloc(0);

/** Makes the lines of a batch: copies the printed columns, and appends the extra cells. */
const rowJoiner = (style: PrintStyle, columns: ExtraColumns): ((batch: PackedRows) => Buffer) => {
  if (columns.keys.length === 0) return ({ lines }) => lines;
  const tail = tailPrinter(style, columns);
  const empty = tail(nothing);
  return (batch) => {
    const pieces: Buffer[] = [];
    for (const { line, extra } of batch.rows()) pieces.push(line, extra.length === 0 ? empty : tail(extra));
    return Buffer.concat(pieces);
  };
};

/** Prints the extra cells of a row, each after a delimiter, and the line end. */
const tailPrinter = (style: PrintStyle, { keys, rest }: ExtraColumns): ((extra: Buffer) => Buffer) => {
  const columns = new Set(keys);
  return (packed) => {
    const extra = readExtra(packed);
    const cells = keys.map((key) => extraText(extra.get(key)));
    if (rest) cells.push(extraJson([...extra].filter(([key]) => !columns.has(key))));
    return Buffer.from(style.delimiter + printLine(style, cells) + LINE_END);
  };
};
