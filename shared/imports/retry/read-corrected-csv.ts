/** `readCorrectedCsv`: parses the CSV of corrected rows, for a retry. */
import { allOf, shortened } from '../../runtime/shortened.ts';
import { limits } from '../../config/limits.ts';
import { unguardCell } from '../../csv/print-line.ts';
import type { FaultCode } from '../../http/fault-codes.ts';
import type { ProblemError } from '../../http/problem.ts';
import { MAX_FAULTS } from '../../http/text.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { type Delimiter, delimiterNames, delimiters } from '../../csv/dialect.ts';
import { withinColumns } from '../../csv/no-row.ts';
import { parseRow } from '../../csv/parse-row.ts';
import { type Header, headerWindow, readHeader } from '../../csv/read-header.ts';
import { rowsIn } from '../../csv/row-scanner.ts';
import type { Layout } from '../items/import-job.ts';
import { inputColumns, reasonColumns } from '../reports/report-columns.ts';

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
 * Reads the CSV of corrected rows, as a spreadsheet saved it. It has the columns of the download, in any delimiter:
 * `batch_job_uuid` and `row` identify a row, and the function ignores the other columns of the reason. It removes the guard against formulas. Faults
 * name the line, never the text.
 */
export const readCorrectedCsv = (
  layout: Layout | null,
  csv: string,
): Result<readonly CorrectedRow[], readonly ProblemError[]> => {
  const input = inputColumns(layout);
  const columns = [...input, ...reasonColumns];
  const table = readTable(Buffer.from(csv), columns);
  if (!table.ok) return err([table.error]);
  const { lines, delimiter } = table.value;
  if (lines.length === 0) return err([fault('no_rows', 'There is no row after the header.')]);
  if (lines.length > limits.imports.rowsPerRetry) {
    return err([
      fault('too_long', `Has over ${limits.imports.rowsPerRetry} rows. Send the rows in several requests.`),
    ]);
  }
  const read = lines.map((line) => rowOf(line, delimiter, input.length));
  const faults = read.flatMap((row) => (row.ok ? [] : [row.error]));
  if (faults.length > 0) return err(faults.slice(0, MAX_FAULTS));
  return ok(read.flatMap((row) => (row.ok ? [row.value] : [])));
};

interface Line {
  readonly at: number;
  readonly text: string;
}

/** The lines after the header, and the delimiter of all lines. */
interface CsvTable {
  readonly lines: readonly Line[];
  readonly delimiter: Delimiter;
}

/** Finds the delimiter: the header has the columns of the download in one delimiter at most. */
const readTable = (bytes: Buffer, columns: readonly string[]): Result<CsvTable, ProblemError> => {
  const headers = delimiterNames.flatMap((delimiter) => {
    const header = readHeader(bytes.subarray(0, HEADER_BYTES), { ...reading, delimiter });
    return header.ok ? [{ ...header.value, names: namesOf(header.value, columns.length) }] : [];
  });
  const found = headers.find(({ names }) => isHeader(names, columns));
  if (found) return ok({ delimiter: found.dialect.delimiter, lines: linesOf(bytes, found) });
  const [widest = []] = headers.map(({ names }) => names).toSorted((a, b) => b.length - a.length);
  return err(fault('wrong_header', wrongHeader(widest, columns)));
};

const reading = { encoding: 'utf-8', trim: false, headerLine: null } as const;

/** The largest header: that of the file, with the columns of the reason. */
const HEADER_BYTES = 2 * headerWindow;

const namesOf = ({ cells }: Header, columns: number): readonly string[] =>
  withinColumns(cells, columns).map(unguardCell);

const isHeader = (names: readonly string[], columns: readonly string[]): boolean =>
  names.length === columns.length && columns.every((column, index) => names[index]?.trim() === column.trim());

/** Characters of a column name that a fault shows. */
const MOST_SHOWN = 100;

const wrongHeader = (names: readonly string[], columns: readonly string[]): string => {
  const rule = `The first line must be the header of the downloaded list, delimited by ${allOf(delimiterNames, 'or')}.`;
  if (names.length <= 1) return rule;
  const at = columns.findIndex((column, index) => names[index]?.trim() !== column.trim());
  return at === -1
    ? `${rule} It has ${columns.length} columns; this line has ${names.length}.`
    : `${rule} Column ${at + 1} must be "${shortened(columns[at] ?? '', MOST_SHOWN)}".`;
};

/** The rows after the header. The last line may be a row with an open quote, which is a fault of its own. */
const linesOf = (bytes: Buffer, { dialect, offset, line }: Header): readonly Line[] => {
  const { rows, open } = rowsIn(bytes.subarray(offset), { offset, line }, dialect);
  const lines = rows.map(({ start, end, line: at }) => ({ at, text: bytes.toString('utf8', start, end) }));
  return open ? [...lines, { at: open.line, text: bytes.toString('utf8', open.offset) }] : lines;
};

const cellsOf = (text: string, delimiter: Delimiter): readonly string[] | undefined => {
  const cells = parseRow(text, delimiters[delimiter]);
  return cells.ok ? cells.value.map(unguardCell) : undefined;
};

const rowOf = (
  { at, text }: Line,
  delimiter: Delimiter,
  inputs: number,
): Result<CorrectedRow, ProblemError> => {
  const parsed = cellsOf(text, delimiter);
  if (!parsed) return err(lineFault(at, 'bad_csv', 'has a quote in the wrong place.'));
  const cells = withinColumns(parsed, inputs + reasonColumns.length);
  if (cells.length > inputs + reasonColumns.length)
    return err(lineFault(at, 'too_many_cells', 'has more cells than the header.'));
  const [batch = '', row = ''] = cells.slice(inputs);
  if (batch === '' || !/^[1-9]\d{0,15}$/.test(row))
    return err(lineFault(at, 'no_row', 'has no valid batch_job_uuid and row.'));
  return ok({ at, batch, row: Number(row), cells: cells.slice(0, inputs) });
};

const fault = (code: FaultCode, detail: string): ProblemError => ({ pointer: '/csv', code, detail });

/** A fault of one line of the CSV. */
export const lineFault = (at: number, code: FaultCode, detail: string): ProblemError =>
  fault(code, `The row on line ${at} ${detail}`);
