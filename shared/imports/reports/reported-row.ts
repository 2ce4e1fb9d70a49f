/** Reported row: a refused or warned row in the form that reports show, without social tokens. */
import { limits } from '../../config/limits.ts';
import type { Refusal, Warning } from '../../profiles/types.ts';
import type { ParsedRow } from '../model/parsed-row.ts';

/** A row in a report: refused, or stored with a warning. */
export interface ReportedRow {
  readonly row: number;
  readonly line: number | null;
  readonly field: string | null;
  /** The column of the file, where one column is at fault. */
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
  readonly record: string | null;
  /** The row is valid, and counts as failed. Other refused rows count as unserializable. */
  readonly failed?: boolean;
}

/** The report of a refused row: the code of the first fault, and the messages of all faults. */
export const refusedRow = (candidate: ParsedRow, faults: readonly Refusal[]): ReportedRow => ({
  ...placeOf(candidate),
  field: faults[0]?.field ?? null,
  column: faults[0]?.column ?? null,
  code: faults[0]?.code ?? 'invalid',
  message: faults.map(sentenceOf).join(' '),
});

/** The reports of a row that was stored with warnings: one per warning, because each warning has its own code. */
export const warnedRows = (candidate: ParsedRow, warnings: readonly Warning[]): readonly ReportedRow[] => {
  const place = placeOf(candidate);
  return warnings.map(({ code, detail, field = null }) => ({
    ...place,
    field,
    column: null,
    code,
    message: detail,
  }));
};

const placeOf = ({ row, line, original }: ParsedRow): Pick<ReportedRow, 'row' | 'line' | 'record'> => ({
  row,
  line,
  record: shortened(original()),
});

const sentenceOf = ({ field, message }: Refusal): string =>
  field === null ? message : `${field}: ${message}`;

const shortened = (text: string | null): string | null =>
  text === null || text.length <= limits.imports.reportedCharacters
    ? text
    : `${text.slice(0, limits.imports.reportedCharacters).toWellFormed()}…`;
