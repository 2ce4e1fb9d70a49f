import * as v from 'valibot';
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

/** Reads the object of a report. Throws when it does not exist, because it was stored before the result that names it. */
export const readReportObject = async (store: Pick<ObjectStore, 'get'>, key: string): Promise<Uint8Array> => {
  const bytes = await store.get(key);
  if (!bytes) throw new Error('import: the report of a batch does not exist');
  return bytes;
};

/** Lines of the object of a report, one per row. */
export const reportLines = (bytes: Uint8Array): readonly string[] =>
  Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((text) => text !== '');

/** One line of a report as a row. */
export const parseReportLine = (line: string): StoredRow => v.parse(reportedRow, JSON.parse(line));

/** Reads every row of one report. */
export const readReport = async (
  store: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<readonly StoredRow[]> => reportLines(await readReportObject(store, key)).map(parseReportLine);
