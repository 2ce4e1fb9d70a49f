/** Report rows: the objects with the refused or warned rows of batches. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { problems } from '../../http/problem.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { ReportedRow, StoredRow } from './reported-row.ts';

const reportedRow = v.object({
  row: v.number(),
  line: v.nullable(v.number()),
  field: v.nullable(v.string()),
  column: v.nullable(v.string()),
  code: v.string(),
  message: v.string(),
  record: v.nullable(v.string()),
  failed: v.exactOptional(v.boolean()),
});

/** Stores the report of a batch as NDJSON, in the order of the rows; returns its key. */
export const writeReport = async (
  store: Pick<ObjectStore, 'put'>,
  key: string,
  rows: readonly ReportedRow[],
): Promise<string> => {
  const lines = rows.toSorted((a, b) => a.row - b.row).map((row) => `${JSON.stringify(row)}\n`);
  await store.put(key, lines.join(''), { contentType: 'application/x-ndjson' });
  return key;
};

/** What a client reads when the rows of a job are no longer kept. */
export const rowsGone = problems.conflict(
  'rows_gone',
  `The rows of this job are no longer kept. They are deleted after ${limits.imports.retentionDays} days, or sooner by a rule of the property.`,
);

/** Lines of the object of a report, one per row. */
export const reportLines = (bytes: Uint8Array): readonly string[] =>
  Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((text) => text !== '');

/** One line of a report as a row. */
export const parseReportLine = (line: string): StoredRow => v.parse(reportedRow, JSON.parse(line));

/** Reads every row of one report; `undefined` when it is no longer kept: it was stored before the result that names it. */
export const readReport = async (
  store: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<readonly StoredRow[] | undefined> => {
  const bytes = await store.get(key);
  return bytes && reportLines(bytes).map(parseReportLine);
};
