/** Print file: prints the header of an export file, and its rows from the rows of the parts. */
import { extraJson, extraText } from '../model/fields.ts';
import { headerOf, type ExtraColumns, type Layout } from './layout.ts';
import { readExtra, type PackedRows } from './part-rows.ts';
import { LINE_END, printLine, type PrintStyle } from '../../csv/print-line.ts';

/** Prints a file piece by piece: its header, then batches of rows in the given order. */
export interface FilePrinter {
  readonly header: () => Buffer;
  readonly rows: (batch: PackedRows) => Buffer;
}

const nothing = Buffer.alloc(0);

/** The printer of a file with these columns. A file of JSON Lines, without a style, has no header. */
export const filePrinter = ({
  layout,
  style,
  columns,
  mark = '',
}: {
  readonly layout: Layout;
  readonly style: PrintStyle | undefined;
  readonly columns: ExtraColumns;
  /** The byte order mark, if the file has one. */
  readonly mark?: string;
}): FilePrinter =>
  style === undefined
    ? { header: () => nothing, rows: ({ lines }) => lines }
    : {
        header: () => Buffer.from(mark + printLine(style, headerOf(layout, columns)) + LINE_END),
        rows: rowJoiner(style, columns),
      };

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
