import Papa from 'papaparse';
import { guardCell, isQuotedByGuard, LINE_END } from '../../csv/print-line.ts';
import { type Delimiter, delimiters } from '../../csv/dialect.ts';
import type { Layout } from '../items/import-job.ts';
import type { ReportedBatchRow } from './read-reports.ts';
import { cellsByColumn, inputColumns, reasonColumns } from './report-columns.ts';

/** Style of a list as CSV: its delimiter, and whether a byte order mark tells a spreadsheet that the list is UTF-8. */
export interface ReportStyle {
  readonly delimiter: Delimiter;
  readonly bom: boolean;
}

const BYTE_ORDER_MARK = '\ufeff';

/** The beginning of a list as CSV: the byte order mark if the style has it, and the header. */
export const reportHeader = (layout: Layout | null, style: ReportStyle): string =>
  (style.bom ? BYTE_ORDER_MARK : '') + printed(style, [[...inputColumns(layout), ...reasonColumns]]);

/**
 * Reported rows as CSV (RFC 4180, CRLF): the columns of the input, then the reason. A client can correct the file and
 * send it again. The first column holds a record, or a row that does not parse, unchanged. The last column of the input
 * holds the cells of a row that has more cells than the header.
 */
export const reportCsv = (
  layout: Layout | null,
  rows: readonly ReportedBatchRow[],
  style: ReportStyle,
): string => {
  const lines = rows.map((reported) => {
    const text = reported.record ?? '';
    return [...(layout ? cellsByColumn(layout, text) : [text]), ...reasonsOf(reported)];
  });
  return printed(style, lines);
};

const reasonsOf = ({ batch: batch_job_uuid, ...reported }: ReportedBatchRow): readonly string[] => {
  const reasons = { ...reported, batch_job_uuid };
  return reasonColumns.map((name) => String(reasons[name] ?? ''));
};

/** Guards every cell, because the text comes from third parties and a spreadsheet must not execute it. */
const printed = ({ delimiter }: ReportStyle, lines: readonly (readonly string[])[]): string =>
  lines.length === 0
    ? ''
    : Papa.unparse(
        lines.map((cells) => cells.map(guardCell)),
        {
          delimiter: delimiters[delimiter],
          newline: LINE_END,
          quotes: (cell) => isQuotedByGuard(String(cell)),
        },
      ) + LINE_END;
