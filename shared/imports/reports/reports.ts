import * as v from 'valibot';
import { mapLimited } from '../../runtime/pool.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { Batch, BatchResult } from '../model/job.ts';
import type { ReportKind } from '../model/object-keys.ts';
import type { ReportedRow } from './reported-row.ts';
import { retriedRows } from './retried-rows.ts';

/** Where a page of a report starts: behind so many rows of a batch, batches being in order of acceptance. */
export const reportPosition = v.object({ accepted: v.number(), batch: v.string(), rows: v.number() });
export type ReportPosition = v.InferOutput<typeof reportPosition>;

/** A reported row and its batch. */
export interface ReportedBatchRow extends ReportedRow {
  readonly batch: string;
}

/** How much a page holds at most. */
export interface PageLimits {
  readonly rows: number;
  /** Bytes of the rows as JSON. */
  readonly bytes: number;
}

const line = v.object({
  row: v.number(),
  line: v.nullable(v.number()),
  field: v.nullable(v.string()),
  code: v.string(),
  message: v.string(),
  record: v.nullable(v.string()),
  failed: v.exactOptional(v.boolean()),
});

/** Keeps what is reported of a batch, in the order of its rows; answers the key, or `null` when there is nothing. */
export const writeReport = async (
  store: Pick<ObjectStore, 'put'>,
  key: string,
  rows: readonly ReportedRow[],
): Promise<string | null> => {
  if (rows.length === 0) return null;
  const lines = rows.toSorted((a, b) => a.row - b.row).map((row) => `${JSON.stringify(row)}\n`);
  await store.put(key, lines.join(''), { contentType: 'application/x-ndjson' });
  return key;
};

/** The page of a report that is wanted. */
interface ReportPageRequest {
  readonly kind: ReportKind;
  readonly from: ReportPosition | undefined;
  readonly limits: PageLimits;
}

/** Reports that are read at once. */
export const READS_AT_ONCE = 16;

/** What is reported of one batch. */
export interface Report {
  readonly uuid: string;
  readonly accepted: number;
  /** Of the object that holds the rows. */
  readonly key: string;
  /** Numbers of the rows that were sent again: what became of these is reported elsewhere. */
  readonly retried: ReadonlySet<number>;
}

/** The reports of a kind that have a row to show, in order of acceptance. No object is read for it. */
export const reportsOf = (batches: readonly Batch[], kind: ReportKind): readonly Report[] => {
  const retried = kind === 'errors' ? retriedRows(batches) : new Map<string, ReadonlySet<number>>();
  return batches
    .flatMap(({ uuid, accepted, result }) => {
      const key = result?.[kind];
      const report = { uuid, accepted, retried: retried.get(uuid) ?? new Set<number>() };
      return result && typeof key === 'string' && !isEmptied(result, report) ? [{ ...report, key }] : [];
    })
    .sort(compare);
};

/** Whether every refused row of a batch was sent again. */
const isEmptied = (result: BatchResult, { retried }: Pick<Report, 'retried'>): boolean =>
  retried.size > 0 && retried.size >= result.unserializable + result.failed;

/**
 * Whether more rows are reported than a page holds, as far as the items of the batches tell: they have the number of refused
 * rows, and of warned rows only that there are some.
 */
export const isLongerThan = (rows: number, batches: readonly Batch[], kind: ReportKind): boolean => {
  const refusedOf = new Map(
    batches.map(({ uuid, result }) => [uuid, result ? result.unserializable + result.failed : 0]),
  );
  let least = 0;
  for (const { uuid, retried } of reportsOf(batches, kind))
    least += kind === 'errors' ? (refusedOf.get(uuid) ?? 0) - retried.size : 1;
  return least > rows;
};

/**
 * One page of what is reported of batches, in order of acceptance and row; refused rows that were sent again are left out,
 * since what became of them is reported there. A page holds at least one row, if there is one
 * left, and never more than `READS_AT_ONCE` objects of them are in memory.
 */
export const readReports = async (
  store: Pick<ObjectStore, 'get'>,
  batches: readonly Batch[],
  { kind, from, limits }: ReportPageRequest,
): Promise<{ readonly rows: readonly ReportedBatchRow[]; readonly next?: ReportPosition }> => {
  const rows: ReportedBatchRow[] = [];
  let bytes = 0;
  for (const group of growing(reportsOf(batches, kind).filter((report) => !isBefore(report, from))))
    for (const { report, bytes: object } of await readObjects(store, group)) {
      const { uuid, accepted, retried } = report;
      const start = from?.batch === uuid ? from.rows : 0;
      for (const [index, text] of linesOf(object).entries()) {
        if (index < start) continue;
        const row = v.parse(line, JSON.parse(text));
        if (retried.has(row.row)) continue;
        bytes += Buffer.byteLength(text);
        if (rows.length === limits.rows || (bytes > limits.bytes && rows.length > 0))
          return { rows, next: { accepted, batch: uuid, rows: index } };
        rows.push({ ...row, batch: uuid });
      }
    }
  return { rows };
};

/** Groups of 1, 2, 4 … reports: the first ones often fill a page. */
function* growing(reports: readonly Report[]): Generator<readonly Report[], void> {
  for (let start = 0, size = 1; start < reports.length;) {
    yield reports.slice(start, start + size);
    start += size;
    size = Math.min(size * 2, READS_AT_ONCE);
  }
}

/** The objects of a few reports, read at once and in the order of the reports. */
export const readObjects = (
  store: Pick<ObjectStore, 'get'>,
  reports: readonly Report[],
): Promise<readonly { readonly report: Report; readonly bytes: Uint8Array }[]> =>
  mapLimited(reports, READS_AT_ONCE, async (report) => ({
    report,
    bytes: await objectOf(store, report.key),
  }));

/** The rows that the object of a report shows. */
export const reportedOf = ({ uuid, retried }: Report, bytes: Uint8Array): readonly ReportedBatchRow[] =>
  rowsOf(bytes)
    .filter(({ row }) => !retried.has(row))
    .map((row) => ({ ...row, batch: uuid }));

const isBefore = (report: Ordered, from: ReportPosition | undefined): boolean =>
  from !== undefined && compare(report, { ...from, uuid: from.batch }) < 0;

type Ordered = Pick<Batch, 'uuid' | 'accepted'>;
const compare = (a: Ordered, b: Ordered): number =>
  a.accepted === b.accepted ? (a.uuid < b.uuid ? -1 : a.uuid > b.uuid ? 1 : 0) : a.accepted - b.accepted;

/** Every row of one report. */
export const readReport = async (
  store: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<readonly ReportedRow[]> => rowsOf(await objectOf(store, key));

const objectOf = async (store: Pick<ObjectStore, 'get'>, key: string): Promise<Uint8Array> => {
  const bytes = await store.get(key);
  if (!bytes) throw new Error('import: a report of rows is not there');
  return bytes;
};

const rowsOf = (bytes: Uint8Array): readonly ReportedRow[] =>
  linesOf(bytes).map((text) => v.parse(line, JSON.parse(text)));

const linesOf = (bytes: Uint8Array): readonly string[] =>
  Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((text) => text !== '');
