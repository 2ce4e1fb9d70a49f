/**
 * Rows of a file: reads and parses a chunk of a file, names why a row is refused, and hides social tokens in reported
 * rows.
 */
import { limits } from '../../config/limits.ts';
import type { Refusal } from '../../profiles/types.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { ParsedRow } from '../model/parsed-row.ts';
import { decode, decodeLossy } from '../../csv/decode.ts';
import { delimiters } from '../../csv/dialect.ts';
import { parseRow, type RowFault } from '../../csv/parse-row.ts';
import { RowScanner } from '../../csv/row-scanner.ts';
import type { Layout, StoredObject } from '../model/import-job.ts';
import type { Batch } from '../model/batch.ts';
import { hiddenColumns } from '../mapping/hidden-columns.ts';
import type { MappedRow, RowMap } from '../mapping/row-map.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import { printRow } from '../../csv/print-row.ts';
import { wrongBytes, wrongBytesMessage } from '../../csv/wrong-bytes.ts';
import type { RowRefusal } from '../mapping/mapped-column.ts';
import { readVersion, type VersionStore } from './read-version.ts';
import { HIDDEN } from '../model/social-tokens.ts';

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
  const rows: ParsedRow[] = [];
  const scanner = new RowScanner(
    layout.dialect,
    { offset: source.start, line: source.line },
    (start, end, _next, line) => {
      const row = () => bytes.subarray(start - source.start, end - source.start);
      rows.push(parsedRow(chunk, row, source.row + rows.length, line));
    },
  );
  scanner.push(bytes);
  scanner.finish();
  return rows;
};

const readChunk = async (store: VersionStore, { source, object }: ChunkOfFile): Promise<Buffer> => {
  const end = source.tooLarge ? source.start + limits.imports.reportedCharacters : source.end;
  const parts: Uint8Array[] = [];
  const range = { from: source.start, to: Math.min(end, source.end) - 1 };
  for await (const part of readVersion(store, object, range)) parts.push(part);
  return Buffer.concat(parts);
};

const parsedRow = (chunk: ChunkOfFile, bytes: () => Buffer, row: number, line: number): ParsedRow => {
  const { encoding } = chunk.layout.dialect;
  return {
    row,
    line,
    record: () => {
      const text = decode(bytes(), encoding);
      return text === undefined ? err(notText(chunk.layout, bytes())) : recordOf(chunk, text);
    },
    original: () => chunk.shown(decodeLossy(bytes(), encoding)),
  };
};

const recordOf = ({ layout, map }: ChunkOfFile, text: string): Result<MappedRow, Refusal> => {
  const cells = cellsOf(layout, text);
  return cells.ok ? ok(map(cells.value)) : cells;
};

/** Parses the text of a row into its cells; the refusal of a row that does not parse or exceeds a limit. */
export const cellsOf = (
  { dialect, columns }: Pick<Layout, 'dialect' | 'columns'>,
  text: string,
): Result<readonly string[], Refusal> => {
  const cells = parseRow(text, delimiters[dialect.delimiter]);
  if (!cells.ok) return err(refusals[cells.error]);
  if (cells.value.length > columns) return err(refusals.too_many_cells);
  if (
    text.length > limits.imports.cellCharacters &&
    cells.value.some((cell) => cell.length > limits.imports.cellCharacters)
  )
    return err(refusals.cell_too_large);
  return cells;
};

/** The refusal of a row that is not text: the byte, its column, and what to do. */
const notText = ({ dialect, header }: Layout, bytes: Buffer): RowRefusal => {
  const wrong = wrongBytes(bytes, dialect);
  const names = parseRow(header, delimiters[dialect.delimiter]);
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

type RefusalCode = RowFault | 'wrong_encoding' | 'too_many_cells' | 'cell_too_large' | 'row_too_large';

const refusal = (code: RefusalCode, message: string): Refusal => ({ field: null, code, message });

/** Refusals of rows before their mapping. */
export const refusals: Readonly<Record<RefusalCode, Refusal>> = {
  stray_quote: refusal('stray_quote', 'A cell contains a quote but does not begin with one.'),
  text_after_quote: refusal('text_after_quote', 'Text follows the closing quote of a cell.'),
  open_quote: refusal('open_quote', 'A quote is never closed.'),
  wrong_encoding: refusal(
    'wrong_encoding',
    'The row has the character U+FFFD, which stands for bytes that were not text. Put the right characters in its place.',
  ),
  too_many_cells: refusal('too_many_cells', 'The row has more cells than the header.'),
  cell_too_large: refusal('cell_too_large', `A cell is over ${limits.imports.cellCharacters} characters.`),
  row_too_large: refusal('row_too_large', `The row is over ${limits.imports.rowBytes} bytes.`),
};

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
    const cells = parseRow(text, delimiter);
    if (!cells.ok || cells.value.length !== columns) return HIDDEN;
    const shown = cells.value.map((cell, index) => (hidden.has(index) && cell !== '' ? HIDDEN : cell));
    return printRow(shown, delimiter);
  };
};
