import * as v from 'valibot';
import type { ObjectStore } from '../runtime/ports.ts';
import type { RefusedRow } from './candidates.ts';
import type { Batch } from './job.ts';

/** Where a page of refused rows starts: behind so many rows of a batch, batches being in order of acceptance. */
export const refusedPosition = v.object({ accepted: v.number(), batch: v.string(), rows: v.number() });
export type RefusedPosition = v.InferOutput<typeof refusedPosition>;

/** A refused row and its batch. */
export interface Refused extends RefusedRow {
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
});

/**
 * One page of the refused rows of batches, in order of acceptance and row. A page holds at least one row, if there is one
 * left, and never more than one object of them is in memory.
 */
export const readRefused = async (
  store: Pick<ObjectStore, 'get'>,
  batches: readonly Batch[],
  { from, limits }: { readonly from: RefusedPosition | undefined; readonly limits: PageLimits },
): Promise<{ readonly rows: readonly Refused[]; readonly next?: RefusedPosition }> => {
  const rows: Refused[] = [];
  let bytes = 0;
  for (const { uuid, accepted, errors } of reportsOf(batches, from)) {
    const lines = await linesOf(store, errors);
    const start = from?.batch === uuid ? from.rows : 0;
    for (const [index, text] of lines.entries()) {
      if (index < start) continue;
      bytes += Buffer.byteLength(text);
      if (rows.length === limits.rows || (bytes > limits.bytes && rows.length > 0))
        return { rows, next: { accepted, batch: uuid, rows: index } };
      rows.push({ ...v.parse(line, JSON.parse(text)), batch: uuid });
    }
  }
  return { rows };
};

interface Report {
  readonly uuid: string;
  readonly accepted: number;
  readonly errors: string;
}

/** The reports from a position on, in order. */
const reportsOf = (batches: readonly Batch[], from: RefusedPosition | undefined): readonly Report[] =>
  batches
    .flatMap(({ uuid, accepted, result }) =>
      result && result.errors !== null ? [{ uuid, accepted, errors: result.errors }] : [],
    )
    .filter(({ uuid, accepted }) => !from || compare({ uuid, accepted }, { ...from, uuid: from.batch }) >= 0)
    .sort(compare);

type Ordered = Pick<Report, 'uuid' | 'accepted'>;
const compare = (a: Ordered, b: Ordered): number =>
  a.accepted === b.accepted ? (a.uuid < b.uuid ? -1 : a.uuid > b.uuid ? 1 : 0) : a.accepted - b.accepted;

const linesOf = async (store: Pick<ObjectStore, 'get'>, key: string): Promise<readonly string[]> => {
  const bytes = await store.get(key);
  if (!bytes) throw new Error('import: a report of refused rows is not there');
  return Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((text) => text !== '');
};
