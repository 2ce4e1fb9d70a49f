import * as v from 'valibot';
import type { Refusal } from '../../profiles/types.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { seal, unseal } from '../../runtime/seal.ts';
import { limits } from '../../config/limits.ts';
import type { ParsedRow } from '../model/parsed-row.ts';
import { delimiters } from '../../csv/dialect.ts';
import { printRow } from '../../csv/print-row.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import { hiddenColumns, cellHider } from '../reports/hide-cells.ts';
import type { Layout } from '../model/import-job.ts';
import { refusals } from '../files/read-rows.ts';
import type { RowMap } from '../mapping/row-map.ts';
import { HIDDEN, dropHiddenToken, hideToken, hideTokenText } from '../model/social-tokens.ts';

const CONTEXT = 'tidemark/corrections/1';
const IV_BYTES = 12;

const correction = v.object({ row: v.number(), line: v.nullable(v.number()), cells: v.array(v.string()) });
/** A row as it was sent back, by its number (and line) in reports. */
export type Correction = Readonly<v.InferOutput<typeof correction>>;
const kept = v.pipe(v.string(), v.parseJson(), v.array(correction));

/** Corrected rows as they are kept until they are worked off: sealed, since there may be social tokens among them. */
export const sealCorrections = (key: Uint8Array, ids: Ids, rows: readonly Correction[]): Uint8Array =>
  seal(key, Buffer.from(ids.hex(IV_BYTES), 'hex'), CONTEXT, JSON.stringify(rows));

/** How corrected rows of a file are read; `null` for those of batches, which are records. */
export interface CorrectedFile {
  readonly layout: Layout;
  readonly map: RowMap;
}

/** Where corrected rows are, what opens them, and how they are read. */
export interface StoredCorrections {
  readonly key: string;
  readonly tokens: Uint8Array;
  readonly definition: ImportDefinition;
  readonly file: CorrectedFile | null;
}

/** Reads corrected rows into candidates. Throws when they are not there: they were stored first. */
export const readCorrections = async (
  store: Pick<ObjectStore, 'get'>,
  { key, tokens, definition, file }: StoredCorrections,
): Promise<readonly ParsedRow[]> => {
  const bytes = await store.get(key);
  const text = bytes && unseal(tokens, CONTEXT, Buffer.from(bytes));
  if (text === undefined) throw new Error('import: the corrected rows of a batch are not there');
  const candidateOf = file ? rowCandidate(definition, file) : recordCandidate;
  return v.parse(kept, text).map(candidateOf);
};

const rowCandidate = (
  definition: ImportDefinition,
  { layout, map }: CorrectedFile,
): ((row: Correction) => ParsedRow) => {
  const hidden = hiddenColumns(definition, layout);
  const shown = cellHider(definition, layout);
  return ({ row, line, cells }) => ({
    row,
    line,
    record: () =>
      checked(cells, () =>
        map(cells.map((cell, index) => (hidden.has(index) && cell === HIDDEN ? '' : cell))),
      ),
    original: () => shown(printRow(cells, delimiters[layout.dialect.delimiter])),
  });
};

const checked = (cells: readonly string[], map: () => ReturnType<RowMap>): Result<unknown, Refusal> => {
  // Reports show so what was no text; it is never stored.
  if (cells.some((cell) => cell.includes('\ufffd'))) return err(refusals.wrong_encoding);
  if (cells.some((cell) => cell.length > limits.imports.cellBytes)) return err(refusals.cell_too_large);
  return map();
};

const recordCandidate = ({ row, line, cells: [text = ''] }: Correction): ParsedRow => {
  const record = parsed(text);
  return {
    row,
    line,
    record: () => (record.ok ? ok(dropHiddenToken(record.value)) : record),
    original: () => (record.ok ? JSON.stringify(hideToken(record.value)) : hideTokenText(text)),
  };
};

const parsed = (text: string): Result<unknown, Refusal> => {
  try {
    const record: unknown = JSON.parse(text);
    return ok(record);
  } catch {
    return err(noRecord);
  }
};

const noRecord: Refusal = { field: null, code: 'invalid', message: 'Is no record in JSON.' };
