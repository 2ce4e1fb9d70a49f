/**
 * Rows of a file: reads and parses a chunk of a file, names why a row is refused, and hides social tokens in reported
 * rows.
 */
import { limits } from '../../config/limits.ts';
import type { Refusal } from '../../profiles/types.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { ParsedRow } from '../mapping/parsed-row.ts';
import { decode, decodeLossy } from '../../csv/decode.ts';
import { delimiters } from '../../csv/dialect.ts';
import { headerRepetition, withinColumns } from '../../csv/no-row.ts';
import { parseRow, type RowFault } from '../../csv/parse-row.ts';
import { rowsIn } from '../../csv/row-scanner.ts';
import type { Layout, StoredObject } from '../items/import-job.ts';
import type { Batch } from '../items/batch.ts';
import { hiddenColumns, type RowRefusal } from '../mapping/field-map.ts';
import type { MappedRow, RowMap } from '../mapping/row-map.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import { printRow } from '../../csv/print-line.ts';
import { wrongBytes, wrongBytesMessage } from '../../csv/wrong-bytes.ts';
import { HIDDEN } from './social-tokens.ts';
import { ObjectChangedError, type ObjectStore } from '../../runtime/ports.ts';

type RowsSource = Extract<Batch['source'], { kind: 'rows' }>;

/** A chunk of a file, with everything needed to parse it. */
export interface ChunkOfFile {
  readonly source: RowsSource;
  readonly object: StoredObject;
  readonly layout: Layout;
  readonly map: RowMap;
  /** The text of a row as reports show it. */
  readonly shown: (text: string) => string;
}

/** Reads and parses a chunk of a file. Throws `ObjectChangedError` when the file was replaced or deleted. */
export const readRows = async (store: VersionStore, chunk: ChunkOfFile): Promise<readonly ParsedRow[]> => {
  const { source, layout } = chunk;
  const bytes = await readChunk(store, chunk);
  if (source.tooLarge) return [tooLarge(chunk, bytes)];
  const cellsOf = cellReader(layout);
  const place = { offset: source.start, line: source.line };
  return rowsIn(bytes, place, layout.dialect).rows.map(({ start, end, line }, index) => {
    const row = () => bytes.subarray(start - source.start, end - source.start);
    return { row: source.row + index, line, ...parsedRow(chunk, cellsOf, row) };
  });
};

const readChunk = async (store: VersionStore, { source, object }: ChunkOfFile): Promise<Buffer> => {
  const end = source.tooLarge ? source.start + limits.imports.reportedCharacters : source.end;
  const parts: Uint8Array[] = [];
  const range = { from: source.start, to: Math.min(end, source.end) - 1 };
  for await (const part of readVersion(store, object, range)) parts.push(part);
  return Buffer.concat(parts);
};

const parsedRow = (
  { layout, map, shown }: ChunkOfFile,
  cellsOf: CellReader,
  bytes: () => Buffer,
): Pick<ParsedRow, 'record' | 'original'> => {
  const { encoding } = layout.dialect;
  return {
    record: () => {
      const text = decode(bytes(), encoding);
      return text === undefined ? err(notText(layout, bytes())) : recordOf(cellsOf(text), map);
    },
    original: () => shown(decodeLossy(bytes(), encoding)),
  };
};

const recordOf = (cells: Result<readonly string[], Refusal>, map: RowMap): Result<MappedRow, Refusal> =>
  cells.ok ? ok(map(cells.value)) : cells;

/** Parses the text of a row into its cells; the refusal of a row that does not parse, is no person or exceeds a limit. */
export type CellReader = (text: string) => Result<readonly string[], Refusal>;

/** Compiles the reader of the rows of a file. */
export const cellReader = (layout: Pick<Layout, 'dialect' | 'columns' | 'header'>): CellReader => {
  const { dialect, columns } = layout;
  const delimiter = delimiters[dialect.delimiter];
  const repeats = repeatedHeader(layout);
  return (text) => {
    const parsed = parseRow(text, delimiter, dialect.trim);
    if (!parsed.ok) return err(refusals[parsed.error]);
    const cells = withinColumns(parsed.value, columns);
    if (cells.length > columns) return err(refusals.too_many_cells);
    if (
      text.length > limits.imports.cellCharacters &&
      cells.some((cell) => cell.length > limits.imports.cellCharacters)
    )
      return err(refusals.cell_too_large);
    const repeated = repeats(cells);
    return repeated ? err(repeated) : ok(cells);
  };
};

/** Compiles the test for rows that repeat the header of a file. */
export const repeatedHeader = ({
  dialect,
  header,
}: Pick<Layout, 'dialect' | 'header'>): ((cells: readonly string[]) => Refusal | undefined) => {
  const names = parseRow(header, delimiters[dialect.delimiter], dialect.trim);
  const repeats = headerRepetition(names.ok ? names.value : []);
  return (cells) => {
    const repetition = repeats(cells);
    if (repetition === undefined) return undefined;
    return repetition === 'same' ? refusals.repeated_header : otherOrder;
  };
};

/** The refusal of a row that is not text: the byte, its column, and what to do. */
const notText = ({ dialect, header }: Layout, bytes: Buffer): RowRefusal => {
  const wrong = wrongBytes(bytes, dialect);
  const names = parseRow(header, delimiters[dialect.delimiter], dialect.trim);
  const column = wrong.cell === undefined || !names.ok ? undefined : names.value[wrong.cell]?.trim();
  const message = wrongBytesMessage(wrong);
  return { field: null, code: 'wrong_encoding', message, ...(column === undefined ? {} : { column }) };
};

const tooLarge = ({ source, layout, shown }: ChunkOfFile, start: Buffer): ParsedRow => ({
  row: source.row,
  line: source.line,
  record: () => err(refusals.row_too_large),
  original: () => shown(decodeLossy(start, layout.dialect.encoding)),
});

type RefusalCode =
  RowFault | 'wrong_encoding' | 'too_many_cells' | 'repeated_header' | 'cell_too_large' | 'row_too_large';

const refusal = (code: RefusalCode, message: string): Refusal => ({ field: null, code, message });

/** Refusals of rows before their mapping. */
export const refusals: Readonly<Record<RefusalCode, Refusal>> = {
  stray_quote: refusal('stray_quote', 'A cell contains a quote but does not begin with one.'),
  space_around_quote: refusal(
    'space_around_quote',
    'White space stands before or after the quotes of a cell. Set `trim` of the definition to true.',
  ),
  text_after_quote: refusal('text_after_quote', 'Text follows the closing quote of a cell.'),
  open_quote: refusal('open_quote', 'A quote is never closed.'),
  wrong_encoding: refusal(
    'wrong_encoding',
    'The row has the character U+FFFD, which stands for bytes that were not text. Put the right characters in its place.',
  ),
  too_many_cells: refusal('too_many_cells', 'The row has more cells than the header.'),
  repeated_header: refusal('repeated_header', 'The row repeats the names of the columns. It is no person.'),
  cell_too_large: refusal('cell_too_large', `A cell is over ${limits.imports.cellCharacters} characters.`),
  row_too_large: refusal('row_too_large', `The row is over ${limits.imports.rowBytes} bytes.`),
};

const otherOrder = refusal(
  'repeated_header',
  'The row has the names of the columns in another order, and so may the rows below it. Import the files one by one.',
);

/**
 * Returns the function that hides social tokens in the text of a row, for reports. It hides the whole row when the
 * cells cannot be located: the row does not parse, or its number of cells differs from the header.
 */
export const cellHider = (
  definition: Pick<ImportDefinition, 'mapping_fields'>,
  layout: Layout,
): ((text: string) => string) => {
  const { columns, dialect, picks } = layout;
  const hidden = hiddenColumns(definition.mapping_fields.field_maps, picks);
  if (hidden.size === 0) return (text) => text;
  const delimiter = delimiters[dialect.delimiter];
  return (text) => {
    const parsed = parseRow(text, delimiter, dialect.trim);
    const cells = parsed.ok ? withinColumns(parsed.value, columns) : [];
    if (cells.length !== columns) return HIDDEN;
    const shown = cells.map((cell, index) => (hidden.has(index) && cell !== '' ? HIDDEN : cell));
    return printRow(shown, delimiter);
  };
};

/** The reads that `readVersion` needs. */
export type VersionStore = Pick<ObjectStore, 'head' | 'read'>;

/** A range of bytes, both ends inclusive. */
interface ByteRange {
  readonly from?: number;
  readonly to?: number;
}

/** Number of replacements by the same bytes that one read survives. */
const MOST_REPLACEMENTS = 5;

/**
 * Streams a range of a version. A client may send a file again over SFTP, for example when the connection broke after
 * the last byte. The object then has another ETag. If its size and its stored checksum are the same, so are its bytes,
 * and the stream continues with the new object behind the last delivered byte. Throws `ObjectChangedError` when the
 * object is gone or has other bytes.
 */
export async function* readVersion(
  store: VersionStore,
  object: StoredObject,
  { from = 0, to }: ByteRange = {},
): AsyncGenerator<Uint8Array> {
  let { etag } = object;
  let position = from;
  for (let replacements = 0; to === undefined || position <= to; replacements += 1) {
    const range = { etag, from: position, ...(to === undefined ? {} : { to }) };
    try {
      for await (const piece of store.read(object.key, range)) {
        position += piece.byteLength;
        yield piece;
      }
      return;
    } catch (error) {
      if (!(error instanceof ObjectChangedError) || replacements === MOST_REPLACEMENTS) throw error;
      const same = await sameBytes(store, object);
      if (same === undefined) throw error;
      etag = same;
    }
  }
}

/** Reads the first bytes of a version, at most `most`. Throws as `readVersion` does. */
export const readFirst = async (store: VersionStore, object: StoredObject, most: number): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  const to = Math.min(object.size, most) - 1;
  if (to >= 0) for await (const part of readVersion(store, object, { from: 0, to })) parts.push(part);
  return Buffer.concat(parts);
};

/** The ETag of the present object, if it has the bytes of this version. */
const sameBytes = async (
  store: VersionStore,
  { key, size, checksum }: StoredObject,
): Promise<string | undefined> => {
  const present = checksum === null ? undefined : await store.head(key);
  return present?.checksum === checksum && present.size === size ? present.etag : undefined;
};
