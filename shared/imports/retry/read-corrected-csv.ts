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

/** A refused row as the client sent it back. */
export interface CorrectedRow {
  /** Line of the CSV that it starts on, for faults. */
  readonly at: number;
  /** The batch that it was refused in, and its number there. */
  readonly batch: string;
  readonly row: number;
  /** Its input columns; of a record of a batch the one with its text. */
  readonly cells: readonly string[];
}

/**
 * Reads the CSV of refused rows as it comes back: the columns of the download, of which `batch_job_uuid` and `row` say which
 * row it is and the other reasons say nothing. The guard against formulas is undone. Faults name the line, never the text.
 */
export const readCorrectedCsv = (
  layout: Layout | null,
  csv: string,
): Result<readonly CorrectedRow[], readonly ProblemError[]> => {
  const input = inputColumns(layout);
  const columns = [...input, ...reasonColumns];
  const [header, ...lines] = linesOf(csv.replace(/^\ufeff/, ''));
  const names = header && cellsOf(header.text);
  if (names?.length !== columns.length || names.some((name, index) => name.trim() !== columns[index]?.trim()))
    return err([
      fault('wrong_header', 'The first line must be the header of the downloaded list of errors.'),
    ]);
  if (lines.length === 0) return err([fault('no_rows', 'There is no row behind the header.')]);
  if (lines.length > limits.imports.rowsPerRetry)
    return err([fault('too_long', `Holds over ${limits.imports.rowsPerRetry} rows; send them in parts.`)]);
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
    return err(lineFault(at, 'no_row', 'does not say in batch_job_uuid and row which row it is.'));
  return ok({ at, batch, row: Number(row), cells: cells.slice(0, inputs) });
};

const fault = (code: string, detail: string): ProblemError => ({ pointer: '/csv', code, detail });

/** A fault of one line of the CSV. */
export const lineFault = (at: number, code: string, what: string): ProblemError =>
  fault(code, `The row on line ${at} ${what}`);
