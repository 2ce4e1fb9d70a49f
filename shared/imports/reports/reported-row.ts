/** Reported row: a refused or warned row in the form that reports show, without social tokens. */
import { limits } from '../../config/limits.ts';
import { delimiters } from '../../csv/dialect.ts';
import { parseRow } from '../../csv/parse-row.ts';
import { printRow } from '../../csv/print-row.ts';
import type { Refusal, Warning } from '../../profiles/types.ts';
import type { ImportDefinition } from '../model/import-definition.ts';
import type { Layout } from '../model/import-job.ts';
import type { ParsedRow } from '../model/parsed-row.ts';
import { HIDDEN } from '../model/social-tokens.ts';

/** A row in a report: refused, or stored with a warning. */
export interface ReportedRow {
  readonly row: number;
  readonly line: number | null;
  readonly field: string | null;
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
  code: faults[0]?.code ?? 'invalid',
  message: faults.map(sentenceOf).join(' '),
});

/** The reports of a row that was stored with warnings: one per warning, because each warning has its own code. */
export const warnedRows = (candidate: ParsedRow, warnings: readonly Warning[]): readonly ReportedRow[] => {
  if (warnings.length === 0) return [];
  const place = placeOf(candidate);
  return warnings.map(({ code, detail, field = null }) => ({ ...place, field, code, message: detail }));
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

/** Indexes of the columns of a file that are mapped to social tokens. */
export const hiddenColumns = (
  { mapping_fields: { field_maps } }: ImportDefinition,
  { picks }: Layout,
): ReadonlySet<number> =>
  new Set(
    field_maps.flatMap(({ target_field }, index) =>
      target_field === 'social_token' ? (picks[index] ?? []) : [],
    ),
  );

/**
 * Returns the function that hides social tokens in the text of a row, for reports. It hides the whole row when the cells cannot
 * be located: the row does not parse, or its number of cells differs from the header.
 */
export const cellHider = (definition: ImportDefinition, layout: Layout): ((text: string) => string) => {
  const { columns, dialect } = layout;
  const hidden = hiddenColumns(definition, layout);
  if (hidden.size === 0) return (text) => text;
  const delimiter = delimiters[dialect.delimiter];
  return (text) => {
    const cells = parseRow(text, delimiter);
    if (!cells.ok || cells.value.length !== columns) return HIDDEN;
    const shown = cells.value.map((cell, index) => (hidden.has(index) && cell !== '' ? HIDDEN : cell));
    return printRow(shown, delimiter);
  };
};
