/** Report columns: the columns of a report as CSV, and the cells of its rows. It needs no printer of CSV. */
import { delimiters } from '../../csv/dialect.ts';
import { withinColumns } from '../../csv/no-row.ts';
import { parseRow } from '../../csv/parse-row.ts';
import type { Layout } from '../items/import-job.ts';

/** Columns after the input: the identity of the row, and the reason. */
export const reasonColumns = ['batch_job_uuid', 'row', 'line', 'field', 'column', 'code', 'message'] as const;

/** Columns of the input; records have a single column. */
export const inputColumns = (layout: Layout | null): readonly string[] =>
  layout ? cellsOf(layout, layout.header) : ['record'];

/** The cells of a row of the input. A row that does not parse is one cell. */
const cellsOf = ({ dialect }: Layout, text: string): readonly string[] => {
  const cells = parseRow(text, delimiters[dialect.delimiter], dialect.trim);
  return cells.ok ? cells.value : [text];
};

/**
 * The cells of a row of the input, one for each column. Missing cells are empty. The last cell contains all cells that
 * have no column, so that the list loses none of them.
 */
export const cellsByColumn = (layout: Layout, text: string): readonly string[] => {
  const before = layout.columns - 1;
  const cells = withinColumns(cellsOf(layout, text), layout.columns);
  const last = cells.slice(before).join(delimiters[layout.dialect.delimiter]);
  return [...Array.from({ length: before }, (_, index) => cells[index] ?? ''), last];
};
