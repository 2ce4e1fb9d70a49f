/** Corrections: rows that the client corrected, stored sealed and parsed by the worker of the retry. */
import * as v from 'valibot';
import type { Refusal } from '../../profiles/types.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { seal, unseal } from '../../runtime/seal.ts';
import { limits } from '../../config/limits.ts';
import type { ParsedRow } from '../mapping/parsed-row.ts';
import { delimiters } from '../../csv/dialect.ts';
import { printRow } from '../../csv/print-line.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import { cellHider, refusals, repeatedHeader } from '../rows/read-rows.ts';
import type { Layout } from '../items/import-job.ts';
import { hiddenColumns } from '../mapping/field-map.ts';
import { type MappedRow, type RowMap, unmapped } from '../mapping/row-map.ts';
import { HIDDEN, dropHiddenToken, hideToken, hideTokenText } from '../rows/social-tokens.ts';

const CONTEXT = 'tidemark/corrections/1';
const IV_BYTES = 12;

const correction = v.object({ row: v.number(), line: v.nullable(v.number()), cells: v.array(v.string()) });

/** A corrected row, with its number and line in reports. */
export type Correction = Readonly<v.InferOutput<typeof correction>>;
const corrections = v.pipe(v.string(), v.parseJson(), v.array(correction));

/** Seals corrected rows until a worker imports them, because they may contain social tokens. */
export const sealCorrections = (key: Uint8Array, ids: Ids, rows: readonly Correction[]): Uint8Array =>
  seal(key, Buffer.from(ids.hex(IV_BYTES), 'hex'), CONTEXT, JSON.stringify(rows));

/** The layout and the row map for corrected rows of a file. */
export interface CorrectedFile {
  readonly layout: Layout;
  readonly map: RowMap;
}

/** Stored corrected rows: their key, the encryption key, and how to parse them. */
export interface StoredCorrections {
  readonly key: string;
  readonly tokens: Uint8Array;
  readonly definition: ImportDefinition;
  /** `null` for the corrected records of batches. */
  readonly file: CorrectedFile | null;
}

/** Reads and parses corrected rows. Throws when the object does not exist, because it was stored before its batch. */
export const readCorrections = async (
  store: Pick<ObjectStore, 'get'>,
  { key, tokens, definition, file }: StoredCorrections,
): Promise<readonly ParsedRow[]> => {
  const bytes = await store.get(key);
  const text = bytes && unseal(tokens, CONTEXT, Buffer.from(bytes));
  if (text === undefined) throw new Error('import: the corrected rows of a batch do not exist');
  const parse = file ? rowParser(definition, file) : parseRecord;
  return v.parse(corrections, text).map(parse);
};

const rowParser = (
  definition: ImportDefinition,
  { layout, map }: CorrectedFile,
): ((row: Correction) => ParsedRow) => {
  const hidden = hiddenColumns(definition.mapping_fields.field_maps, layout.picks);
  const shown = cellHider(definition, layout);
  const repeats = repeatedHeader(layout);
  return ({ row, line, cells }) => ({
    row,
    line,
    record: () =>
      mapChecked(cells, () => {
        const repeated = repeats(cells);
        if (repeated) return err(repeated);
        return ok(map(cells.map((cell, index) => (hidden.has(index) && cell === HIDDEN ? '' : cell))));
      }),
    original: () => shown(printRow(cells, delimiters[layout.dialect.delimiter])),
  });
};

const mapChecked = (
  cells: readonly string[],
  map: () => Result<MappedRow, Refusal>,
): Result<MappedRow, Refusal> => {
  // A report shows invalid bytes as U+FFFD. The import never stores this character.
  if (cells.some((cell) => cell.includes('\ufffd'))) return err(refusals.wrong_encoding);
  if (cells.some((cell) => cell.length > limits.imports.cellCharacters)) return err(refusals.cell_too_large);
  return map();
};

const parseRecord = ({ row, line, cells: [text = ''] }: Correction): ParsedRow => {
  const record = jsonOf(text);
  return {
    row,
    line,
    record: () => (record.ok ? ok(unmapped(dropHiddenToken(record.value))) : record),
    original: () => (record.ok ? JSON.stringify(hideToken(record.value)) : hideTokenText(text)),
  };
};

const jsonOf = (text: string): Result<unknown, Refusal> => {
  try {
    const record: unknown = JSON.parse(text);
    return ok(record);
  } catch {
    return err(notJson);
  }
};

const notJson: Refusal = { field: null, code: 'invalid', message: 'Is not a record in JSON.' };
