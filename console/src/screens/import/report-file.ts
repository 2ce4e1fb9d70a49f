/** The refused or warned rows of a job as a file for a spreadsheet. */
import { csvRows } from '../../../../client/src/csv-rows.ts';
import { nextQuery } from '../../../../client/src/listing.ts';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { JobPath, Report } from './report-rows.ts';

/** Most rows of a file: the page holds them until they are saved, and a spreadsheet opens not many more. */
export const MOST_ROWS = 100_000;

const PAGE_ROWS = 1_000;

/** How a file is read. */
interface Reading {
  readonly report: Report;
  readonly delimiter: 'comma' | 'semicolon';
  /** Ends the reading. */
  readonly signal: AbortSignal;
  readonly onRows: (rows: number) => void;
}

/**
 * Reads the list page by page, one request at a time, up to `MOST_ROWS` rows. It is put together of pages, because a long
 * list is elsewhere. Throws as a call does, and the reason of the signal.
 */
export const reportFile = async (
  api: Pick<Tidemark, 'response'>,
  path: JobPath,
  { report, delimiter, signal, onRows }: Reading,
): Promise<Blob> => {
  const parts: string[] = ['\ufeff'];
  let rows = 0;
  let cursor: string | undefined;
  do {
    const query = { format: 'csv', limit: Math.min(PAGE_ROWS, MOST_ROWS - rows), delimiter, cursor } as const;
    const answer = await api.response(report, { path, query, signal });
    const [header = '', ...page] = csvRows(await answer.text());
    parts.push([...(cursor === undefined ? [header] : []), ...page].join(''));
    rows += page.length;
    onRows(rows);
    cursor = nextQuery(undefined, answer.headers)?.['cursor'];
  } while (cursor !== undefined && rows < MOST_ROWS);
  return new Blob(parts, { type: 'text/csv' });
};
