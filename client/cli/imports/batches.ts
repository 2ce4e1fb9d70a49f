/** Finds out where the rows of a list of refused rows came from. */
import { csvCells, csvRows } from '../../src/csv-rows.ts';

/** The column that names the batch of a row. It stands behind the columns of the file. */
const COLUMN = 'batch_job_uuid';

const delimiters = [',', ';', '\t', '|'] as const;

/** The ids of the batches in a list of refused rows, each once. A spreadsheet may have saved it with another delimiter. */
export const batchesIn = (list: string): readonly string[] => {
  const [header = '', ...rows] = csvRows(list);
  for (const delimiter of delimiters) {
    const index = csvCells(header, delimiter).lastIndexOf(COLUMN);
    if (index < 0) continue;
    const batches = rows.map((row) => csvCells(row, delimiter)[index]?.trim() ?? '');
    return [...new Set(batches)].filter((batch) => batch !== '');
  }
  return [];
};
