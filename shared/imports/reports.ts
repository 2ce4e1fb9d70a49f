import * as v from 'valibot';
import type { ObjectStore } from '../runtime/ports.ts';
import type { Batch } from './job.ts';
import type { ReportKind } from './object-keys.ts';
import type { ReportedRow } from './reported-row.ts';
import { retriedRows } from './retried-rows.ts';

/** Where a page of a report starts: behind so many rows of a batch, batches being in order of acceptance. */
export const reportPosition = v.object({ accepted: v.number(), batch: v.string(), rows: v.number() });
export type ReportPosition = v.InferOutput<typeof reportPosition>;

/** A reported row and its batch. */
export interface Reported extends ReportedRow {
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
interface WantedPage {
  readonly kind: ReportKind;
  readonly from: ReportPosition | undefined;
  readonly limits: PageLimits;
}

/**
 * One page of what is reported of batches, in order of acceptance and row; refused rows that were sent again are left out,
 * since what became of them is reported there. A page holds at least one row, if there is one
 * left, and never more than one object of them is in memory.
 */
export const readReports = async (
  store: Pick<ObjectStore, 'get'>,
  batches: readonly Batch[],
  { kind, from, limits }: WantedPage,
): Promise<{ readonly rows: readonly Reported[]; readonly next?: ReportPosition }> => {
  const rows: Reported[] = [];
  const retried = kind === 'errors' ? retriedRows(batches) : new Map<string, ReadonlySet<number>>();
  let bytes = 0;
  for (const { uuid, accepted, key } of reportsOf(batches, kind, from)) {
    const lines = await linesOf(store, key);
    const start = from?.batch === uuid ? from.rows : 0;
    for (const [index, text] of lines.entries()) {
      if (index < start) continue;
      const row = v.parse(line, JSON.parse(text));
      if (retried.get(uuid)?.has(row.row)) continue;
      bytes += Buffer.byteLength(text);
      if (rows.length === limits.rows || (bytes > limits.bytes && rows.length > 0))
        return { rows, next: { accepted, batch: uuid, rows: index } };
      rows.push({ ...row, batch: uuid });
    }
  }
  return { rows };
};

interface Report {
  readonly uuid: string;
  readonly accepted: number;
  readonly key: string;
}

/** The reports of a kind from a position on, in order. */
const reportsOf = (
  batches: readonly Batch[],
  kind: ReportKind,
  from: ReportPosition | undefined,
): readonly Report[] =>
  batches
    .flatMap(({ uuid, accepted, result }) => {
      const key = result?.[kind];
      return typeof key === 'string' ? [{ uuid, accepted, key }] : [];
    })
    .filter(({ uuid, accepted }) => !from || compare({ uuid, accepted }, { ...from, uuid: from.batch }) >= 0)
    .sort(compare);

type Ordered = Pick<Report, 'uuid' | 'accepted'>;
const compare = (a: Ordered, b: Ordered): number =>
  a.accepted === b.accepted ? (a.uuid < b.uuid ? -1 : a.uuid > b.uuid ? 1 : 0) : a.accepted - b.accepted;

/** Every row of one report. */
export const readReport = async (
  store: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<readonly ReportedRow[]> =>
  (await linesOf(store, key)).map((text) => v.parse(line, JSON.parse(text)));

const linesOf = async (store: Pick<ObjectStore, 'get'>, key: string): Promise<readonly string[]> => {
  const bytes = await store.get(key);
  if (!bytes) throw new Error('import: a report of rows is not there');
  return Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((text) => text !== '');
};
