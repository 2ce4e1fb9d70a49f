/** Reports: the refused or warned rows of the batches of a job, read in pages for lists and whole for downloads. */
import * as v from 'valibot';
import { batchesOf, mapLimited } from '../../runtime/pool.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { Batch, BatchResult } from '../items/batch.ts';
import type { ReportKind } from '../items/object-keys.ts';
import { parseReportLine, reportLines, type StoredRow } from './reported-row.ts';
import { retriedRows } from './row-ranges.ts';

/** Position of a page: after `rows` rows of a batch. Batches are in order of acceptance. */
export const reportPosition = v.object({ accepted: v.number(), batch: v.string(), rows: v.number() });
export type ReportPosition = v.InferOutput<typeof reportPosition>;

/** A reported row with the UUID of its batch. */
export interface ReportedBatchRow extends StoredRow {
  readonly batch: string;
}

interface ReportPage {
  readonly rows: readonly ReportedBatchRow[];
  readonly isGone: boolean;
  readonly next?: ReportPosition;
}

interface ReportPageRequest {
  readonly kind: ReportKind;
  readonly from: ReportPosition | undefined;
  /** Limits of a page: a number of rows, and bytes of the rows as JSON. */
  readonly limits: { readonly rows: number; readonly bytes: number };
}

/** Number of reports that are read at once. */
const READS_AT_ONCE = 16;

/** The report of one batch. */
export interface Report {
  readonly uuid: string;
  readonly accepted: number;
  /** Key of the object with the rows. */
  readonly key: string;
  /** Numbers of the rows that the client has sent again. The report of the retry has their outcome. */
  readonly retried: ReadonlySet<number>;
}

/** The reports of a kind that have a row to show, in order of acceptance. Reads no object. */
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

/** Whether the client has sent every refused row of a batch again. */
const isEmptied = (result: BatchResult, { retried }: Pick<Report, 'retried'>): boolean =>
  retried.size > 0 && retried.size >= result.unserializable + result.failed;

/**
 * Whether a report has more rows than a page, judged by the items of the batches alone. They count refused rows
 * exactly, but of warned rows they only store that some exist.
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
 * Reads one page of the reports of batches, in order of acceptance and row. Omits refused rows that the client has sent
 * again, because the report of the retry has their outcome. A page has at least one row if any is left. Reports that are no
 * longer kept have none; `isGone` says whether there was such a report. At most `READS_AT_ONCE` objects are in memory.
 */
export const readReports = async (
  store: Pick<ObjectStore, 'get'>,
  batches: readonly Batch[],
  { kind, from, limits }: ReportPageRequest,
): Promise<ReportPage> => {
  const rows: ReportedBatchRow[] = [];
  let bytes = 0;
  let isGone = false;
  const left = reportsOf(batches, kind).filter((report) => !isBefore(report, from));
  for await (const { report, bytes: object } of readObjects(store, growingGroups(left))) {
    const { uuid, accepted, retried } = report;
    isGone ||= object === undefined;
    if (!object) continue;
    const start = from?.batch === uuid ? from.rows : 0;
    for (const [index, text] of reportLines(object).entries()) {
      if (index < start) continue;
      const row = parseReportLine(text);
      if (retried.has(row.row)) continue;
      bytes += Buffer.byteLength(text);
      if (rows.length === limits.rows || (bytes > limits.bytes && rows.length > 0))
        return { rows, isGone, next: { accepted, batch: uuid, rows: index } };
      rows.push({ ...row, batch: uuid });
    }
  }
  return { rows, isGone };
};

/** Groups of 1, 2, 4 … reports: the first few reports often fill a page. */
function* growingGroups(reports: readonly Report[]): Generator<readonly Report[], void> {
  for (let start = 0, size = 1; start < reports.length;) {
    yield reports.slice(start, start + size);
    start += size;
    size = Math.min(size * 2, READS_AT_ONCE);
  }
}

/** A report with the bytes of its object; without, if it is no longer kept. */
interface ReportObject {
  readonly report: Report;
  readonly bytes: Uint8Array | undefined;
}

/** Reads the objects of reports in their order, those of one group at once. */
export async function* readObjects(
  store: Pick<ObjectStore, 'get'>,
  groups: Iterable<readonly Report[]>,
): AsyncGenerator<ReportObject, void> {
  for (const group of groups) {
    yield* await mapLimited(group, READS_AT_ONCE, async (report) => {
      return { report, bytes: await store.get(report.key) };
    });
  }
}

/** Groups of as many reports as are read at once. */
export const evenGroups = (reports: readonly Report[]): Iterable<readonly Report[]> =>
  batchesOf(reports, READS_AT_ONCE);

/** The rows of the object of a report, without the rows that the client has sent again. */
export const reportedRows = ({ uuid, retried }: Report, bytes: Uint8Array): readonly ReportedBatchRow[] =>
  reportLines(bytes)
    .map(parseReportLine)
    .filter(({ row }) => !retried.has(row))
    .map((row) => ({ ...row, batch: uuid }));

const isBefore = (report: ReportOrder, from: ReportPosition | undefined): boolean =>
  from !== undefined && compare(report, { ...from, uuid: from.batch }) < 0;

type ReportOrder = Pick<Batch, 'uuid' | 'accepted'>;
const compare = (a: ReportOrder, b: ReportOrder): number =>
  a.accepted - b.accepted || Number(a.uuid > b.uuid) - Number(a.uuid < b.uuid);
