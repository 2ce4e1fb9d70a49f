/**
 * The rows of a report, refused or warned: read in pages; refused ones are changed in their cells, and written as the CSV that
 * sends them again.
 */
import { csvCells, csvRows } from '../../../../client/src/csv-rows.ts';
import { nextQuery } from '../../../../client/src/listing.ts';
import type { Tidemark } from '../../../../client/src/tidemark.ts';

/** A list of rows with a reason: those that were refused, or those that were stored with a warning. */
export type Report = 'listImportErrors' | 'listImportWarnings';

/** Where a job is. */
export interface JobPath {
  readonly import_id: number;
  readonly job_id: number;
}

/** A refused or warned row: its cells as the file has them, where it is, and the reason. */
export interface ReportedRow {
  /** What no other row of the job has. */
  readonly key: string;
  readonly cells: readonly string[];
  readonly batch: string;
  readonly row: string;
  readonly line: string;
  readonly field: string;
  readonly column: string;
  readonly code: string;
  readonly message: string;
}

/** The rows of a report that were read so far. */
export interface ReportedRows {
  readonly header: readonly string[];
  readonly rows: readonly ReportedRow[];
  /** The cursor of the rows that were not read; `undefined` if all were. */
  readonly next: string | undefined;
}

/** The columns behind those of the file. */
const reasonColumns = ['batch_job_uuid', 'row', 'line', 'field', 'column', 'code', 'message'] as const;
/** Rows of one request, and of one look: a page that holds more would be slow. */
const PAGE_ROWS = 500;
const LOOK_ROWS = 2_000;

/**
 * A spreadsheet would run a cell that begins so, and the service puts a `'` in front of it. It takes the mark off again when
 * rows come back.
 */
const formula = /^'['\s]*[=+\-@\t\r＝＋－＠]/;
const withoutGuard = (cell: string): string => (formula.test(cell) ? cell.slice(1) : cell);
const withGuard = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell);

/** Reads the rows of the CSV of a report. */
export const rowsIn = (csv: string): Omit<ReportedRows, 'next'> => {
  const [first = [], ...lines] = csvRows(csv).map((line) => csvCells(line, ','));
  const columns = first.length - reasonColumns.length;
  const rows = lines.map((cells): ReportedRow => {
    const [batch = '', row = '', line = '', field = '', column = '', code = '', message = ''] =
      cells.slice(columns);
    const own = cells.slice(0, columns).map(withoutGuard);
    return { key: `${batch} ${row}`, cells: own, batch, row, line, field, column, code, message };
  });
  // An entry about the whole job has no batch, and no row to send again.
  return { header: first.slice(0, columns), rows: rows.filter(({ batch }) => batch !== '') };
};

/** A page of a report from a cursor on. Throws as a call does. */
const page = async (
  api: Tidemark,
  path: JobPath,
  report: Report,
  cursor: string | undefined,
): Promise<{ readonly csv: string; readonly next: string | undefined }> => {
  const query = { format: 'csv', limit: PAGE_ROWS, cursor } as const;
  const answer = await api.response(report, { path, query });
  return { csv: await answer.text(), next: nextQuery(undefined, answer.headers)?.['cursor'] };
};

/** Reads rows of a report: up to 2,000 behind those of `before`. Throws as a call does. */
export const readReport = async (
  api: Tidemark,
  path: JobPath,
  report: Report,
  before: ReportedRows | undefined,
): Promise<ReportedRows> => {
  let found = before ?? { header: [], rows: [], next: undefined };
  const goal = found.rows.length + LOOK_ROWS;
  do {
    const { csv, next } = await page(api, path, report, found.next);
    const { header, rows } = rowsIn(csv);
    found = { header, rows: [...found.rows, ...rows], next };
  } while (found.next !== undefined && found.rows.length < goal);
  return found;
};

/** What the reader wrote: for each row by its key, the text of each changed cell by its position. */
export type Edits = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** The text of a cell as it would be sent. */
export const cellIn = (edits: Edits, { key, cells }: ReportedRow, at: number): string =>
  edits.get(key)?.get(at) ?? cells[at] ?? '';

/** Another text for a cell. */
export interface Edit {
  readonly row: ReportedRow;
  readonly at: number;
  readonly text: string;
}

/** The edits with other texts in some cells. The text that a row has is no edit. */
export const withEdits = (edits: Edits, changes: readonly Edit[]): Edits => {
  const all = new Map(edits);
  for (const { row, at, text } of changes) {
    const own = new Map(all.get(row.key));
    if (text === (row.cells[at] ?? '')) own.delete(at);
    else own.set(at, text);
    if (own.size === 0) all.delete(row.key);
    else all.set(row.key, own);
  }
  return all;
};

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The CSV that sends the edited rows again, with the columns of their reasons. */
export const correctedCsv = ({ header, rows }: Omit<ReportedRows, 'next'>, edits: Edits): string => {
  const sent = rows.filter(({ key }) => edits.has(key));
  const lines = [
    [...header, ...reasonColumns],
    ...sent.map((one) => {
      const { batch, row, line, field, column, code, message } = one;
      const cells = header.map((_, at) => withGuard(cellIn(edits, one, at)));
      return [...cells, batch, row, line, field, column, code, message];
    }),
  ];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
};
