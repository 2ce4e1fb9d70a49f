import Papa from 'papaparse';
import { guardCell, isQuotedByGuard, LINE_END } from '../../csv/print-line.ts';
import { delimiters } from '../../csv/dialect.ts';
import { parseRow } from '../../csv/parse-row.ts';
import type { Layout } from '../model/import-job.ts';
import type { ReportedBatchRow } from './read-reports.ts';

/** Columns after the input: the identity of the row, and the reason. */
export const reasonColumns = ['batch_job_uuid', 'row', 'line', 'field', 'code', 'message'] as const;

/** Columns of the input; records have a single column. */
export const inputColumns = (layout: Layout | null): readonly string[] =>
  layout ? cellsOf(layout, layout.header) : ['record'];

/**
 * Reported rows as CSV (RFC 4180, CRLF): the columns of the input, then the reason. A client can correct the file and
 * send it again. The first column holds a record, or a row that does not parse, unchanged.
 */
export const reportCsv = (
  layout: Layout | null,
  rows: readonly ReportedBatchRow[],
  withHeader: boolean,
): string => {
  const columns = inputColumns(layout);
  const lines = rows.map((reported) => {
    const { record } = reported;
    const whole = record === null ? [] : [record];
    const input = layout && record !== null ? cellsOf(layout, record) : whole;
    const padded = Array.from(
      { length: Math.max(columns.length, input.length) },
      (_, index) => input[index] ?? '',
    );
    return [...padded.slice(0, columns.length), ...reasonsOf(reported)];
  });
  return printed([...(withHeader ? [[...columns, ...reasonColumns]] : []), ...lines]);
};

const reasonsOf = ({ batch: batch_job_uuid, ...reported }: ReportedBatchRow): readonly string[] => {
  const reasons = { ...reported, batch_job_uuid };
  return reasonColumns.map((name) => String(reasons[name] ?? ''));
};

const cellsOf = ({ dialect }: Layout, text: string): readonly string[] => {
  const cells = parseRow(text, delimiters[dialect.delimiter]);
  return cells.ok ? cells.value : [text];
};

/** Guards every cell, because the text comes from third parties and a spreadsheet must not execute it. */
const printed = (lines: readonly (readonly string[])[]): string =>
  lines.length === 0
    ? ''
    : Papa.unparse(
        lines.map((cells) => cells.map(guardCell)),
        { newline: LINE_END, quotes: (cell) => isQuotedByGuard(String(cell)) },
      ) + LINE_END;
