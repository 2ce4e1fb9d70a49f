/** `readCorrectedCsv`: parses the CSV of corrected rows, for a retry. */
import { limits } from '../../config/limits.ts';
import { unguardCell } from '../../csv/print-line.ts';
import type { ProblemError } from '../../http/problem.ts';
import { MAX_FAULTS } from '../../http/text.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { Dialect } from '../../csv/dialect.ts';
import { parseRow } from '../../csv/parse-row.ts';
import { RowScanner } from '../../csv/row-scanner.ts';
import type { Layout } from '../model/import-job.ts';
import { inputColumns, reasonColumns } from '../reports/report-csv.ts';

/** A refused row with the corrections of the client. */
export interface CorrectedRow {
  /** Line of the CSV on which the row starts, for faults. */
  readonly at: number;
  /** The batch that refused the row, and the number of the row in that batch. */
  readonly batch: string;
  readonly row: number;
  /** The input columns; for a record, the one column with its text. */
  readonly cells: readonly string[];
}

/**
 * Reads the CSV of corrected rows. It has the columns of the download: `batch_job_uuid` and `row` identify a row, and the
 * function ignores the other columns of the reason. It removes the guard against formulas. Faults name the line, never the
 * text.
 */
export const readCorrectedCsv = (
  layout: Layout | null,
  csv: string,
): Result<readonly CorrectedRow[], readonly ProblemError[]> => {
  const input = inputColumns(layout);
  const columns = [...input, ...reasonColumns];
  const [header, ...lines] = linesOf(csv.replace(/^\ufeff/, ''));
  const names = header && cellsOf(header.text);
  if (
    names?.length !== columns.length ||
    names.some((name, index) => name.trim() !== columns[index]?.trim())
  ) {
    return err([
      fault('wrong_header', 'The first line must be the header of the downloaded list of errors.'),
    ]);
  }
  if (lines.length === 0) return err([fault('no_rows', 'There is no row after the header.')]);
  if (lines.length > limits.imports.rowsPerRetry) {
    return err([
      fault('too_long', `Has over ${limits.imports.rowsPerRetry} rows. Send the rows in several requests.`),
    ]);
  }
  const read = lines.map((line) => rowOf(line, input.length));
  const faults = read.flatMap((row) => (row.ok ? [] : [row.error]));
  if (faults.length > 0) return err(faults.slice(0, MAX_FAULTS));
  return ok(read.flatMap((row) => (row.ok ? [row.value] : [])));
};

interface Line {
  readonly at: number;
  readonly text: string;
}

const linesOf = (csv: string): readonly Line[] => {
  const bytes = Buffer.from(csv);
  const newline = csv.includes('\n') ? 'lf' : 'cr';
  const dialect: Dialect = { encoding: 'utf-8', delimiter: 'comma', newline };
  const lines: Line[] = [];
  const add = (start: number, end: number, at: number): void =>
    void lines.push({ at, text: bytes.toString('utf8', start, end) });
  const scanner = new RowScanner(dialect, { offset: 0, line: 1 }, (start, end, _next, at) => {
    add(start, end, at);
  });
  scanner.push(bytes);
  const open = scanner.finish();
  if (open) add(open.offset, bytes.length, open.line);
  return lines;
};

const cellsOf = (text: string): readonly string[] | undefined => {
  const cells = parseRow(text, ',');
  return cells.ok ? cells.value.map(unguardCell) : undefined;
};

const rowOf = ({ at, text }: Line, inputs: number): Result<CorrectedRow, ProblemError> => {
  const cells = cellsOf(text);
  if (!cells) return err(lineFault(at, 'bad_csv', 'has a quote in the wrong place.'));
  if (cells.length > inputs + reasonColumns.length)
    return err(lineFault(at, 'too_many_cells', 'has more cells than the header.'));
  const [batch = '', row = ''] = cells.slice(inputs);
  if (batch === '' || !/^[1-9]\d{0,15}$/.test(row))
    return err(lineFault(at, 'no_row', 'has no valid batch_job_uuid and row.'));
  return ok({ at, batch, row: Number(row), cells: cells.slice(0, inputs) });
};

const fault = (code: string, detail: string): ProblemError => ({ pointer: '/csv', code, detail });

/** A fault of one line of the CSV. */
export const lineFault = (at: number, code: string, detail: string): ProblemError =>
  fault(code, `The row on line ${at} ${detail}`);
