/** Reported rows: refused and warned rows in the form that reports show, without social tokens, and their objects. */
import { limits } from '../../config/limits.ts';
import type { RowCode, RowWarningCode } from '../../http/row-codes.ts';
import type { Warning } from '../../profiles/types.ts';
import { type ColumnOf, type RowRefusal, sentenceOf } from '../mapping/field-map.ts';
import type { ParsedRow } from '../mapping/parsed-row.ts';
import * as v from 'valibot';
import { problems, type Problem } from '../../http/problem.ts';
import type { ObjectStore } from '../../runtime/ports.ts';

const storedRow = v.object({
  row: v.number(),
  line: v.nullable(v.number()),
  field: v.nullable(v.string()),
  /** The column of the file at fault; `null` for a record, and for a fault of the row as a whole. */
  column: v.nullable(v.string()),
  code: v.string(),
  message: v.string(),
  record: v.nullable(v.string()),
  /** The row is valid, and counts as failed. Other refused rows count as unserializable. */
  failed: v.exactOptional(v.boolean()),
});

/** A row of a report as it was stored, perhaps by another version of the service. */
export type StoredRow = Readonly<v.InferOutput<typeof storedRow>>;

/** A row in a report: refused, or stored with a warning. */
export interface ReportedRow extends StoredRow {
  readonly code: RowCode | RowWarningCode;
}

/** The report of a refused row: the first fault, and the messages of all faults. */
export const refusedRow = (candidate: ParsedRow, faults: readonly RowRefusal[]): ReportedRow => ({
  ...placeOf(candidate),
  field: faults[0]?.field ?? null,
  column: faults[0]?.column ?? null,
  code: faults[0]?.code ?? 'invalid',
  message: faults.map(sentenceOf).join(' '),
});

/** A notice about a row that was stored. */
export interface RowWarning {
  readonly code: RowWarningCode;
  readonly detail: string;
  readonly field: string | null;
  readonly column: string | null;
}

/** Adds the column to a warning about a record. */
export const rowWarning = ({ code, detail, field }: Warning, columnOf: ColumnOf): RowWarning => ({
  code,
  detail,
  field: field ?? null,
  column: columnOf(field ?? null)?.name ?? null,
});

/** The reports of a row that was stored with warnings: one per warning, because each warning has its own code. */
export const warnedRows = (candidate: ParsedRow, warnings: readonly RowWarning[]): readonly ReportedRow[] => {
  const place = placeOf(candidate);
  return warnings.map(({ detail, ...warning }) => ({ ...place, ...warning, message: detail }));
};

const placeOf = ({ row, line, original }: ParsedRow): Pick<ReportedRow, 'row' | 'line' | 'record'> => ({
  row,
  line,
  record: shortened(original()),
});

const shortened = (text: string | null): string | null =>
  text === null || text.length <= limits.imports.reportedCharacters
    ? text
    : `${text.slice(0, limits.imports.reportedCharacters).toWellFormed()}…`;

/** Stores the report of a batch as NDJSON, in the order of the rows; returns its key. */
export const writeReport = async (
  store: Pick<ObjectStore, 'put'>,
  key: string,
  rows: readonly ReportedRow[],
): Promise<string> => {
  const lines = rows.toSorted((a, b) => a.row - b.row).map((row) => `${JSON.stringify(row)}\n`);
  await store.put(key, lines.join(''), { contentType: 'application/x-ndjson' });
  return key;
};

/** What a client reads when the rows of a job are no longer kept. */
export const rowsGone = (): Problem =>
  problems.conflict(
    'rows_gone',
    `The rows of this job are no longer kept. They are deleted after ${limits.imports.retentionDays} days, or sooner by a rule of the property.`,
  );

/** Lines of the object of a report, one per row. */
export const reportLines = (bytes: Uint8Array): readonly string[] =>
  Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((text) => text !== '');

/** One line of a report as a row. */
export const parseReportLine = (line: string): StoredRow => v.parse(storedRow, JSON.parse(line));

/** Reads every row of one report; `undefined` when it is no longer kept: it was stored before the result that names it. */
export const readReport = async (
  store: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<readonly StoredRow[] | undefined> => {
  const bytes = await store.get(key);
  return bytes && reportLines(bytes).map(parseReportLine);
};
