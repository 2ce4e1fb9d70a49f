/** Reported row: a refused or warned row in the form that reports show, without social tokens. */
import { limits } from '../../config/limits.ts';
import type { RowCode, RowWarningCode } from '../../http/row-codes.ts';
import type { Warning } from '../../profiles/types.ts';
import { type ColumnOf, type RowRefusal, sentenceOf } from '../mapping/field-map.ts';
import type { ParsedRow } from '../mapping/parsed-row.ts';

/** A row in a report: refused, or stored with a warning. */
export interface ReportedRow {
  readonly row: number;
  readonly line: number | null;
  readonly field: string | null;
  /** The column of the file at fault; `null` for a record, and for a fault of the row as a whole. */
  readonly column: string | null;
  readonly code: RowCode | RowWarningCode;
  readonly message: string;
  readonly record: string | null;
  /** The row is valid, and counts as failed. Other refused rows count as unserializable. */
  readonly failed?: boolean;
}

/** A row of a report as it was stored, perhaps by another version of the service. */
export interface StoredRow extends Omit<ReportedRow, 'code'> {
  readonly code: string;
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
