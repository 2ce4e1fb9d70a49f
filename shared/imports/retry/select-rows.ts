/** `selectRows`: matches corrected rows with the refused rows of a job, for a retry. */
import type { ProblemError } from '../../http/problem.ts';
import { MAX_FAULTS } from '../../http/text.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { mapLimited } from '../../runtime/pool.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { Correction } from './sealed-corrections.ts';
import { repeatsIn } from '../definitions/field-map-rules.ts';
import type { Batch, Retry } from '../items/batch.ts';
import { type CorrectedRow, lineFault } from './read-corrected-csv.ts';
import { retriedRows, printRowRanges } from '../reports/row-ranges.ts';
import { type StoredRow, readReport } from '../reports/reported-row.ts';
import { addReasons, type Reason, reasonsBetween, reasonsOf } from '../items/row-findings.ts';

/** Number of reports that are read at once. */
const READS_AT_ONCE = 16;

/** The corrected rows of a retry, and the refused rows that they replace. */
export interface RetrySelection {
  readonly corrections: readonly Correction[];
  readonly retry: Omit<Retry, 'requestKey'>;
  /** The option of the batches that refused the rows. */
  readonly skipAppends: boolean;
}

/**
 * Finds the refused row of each corrected row. A corrected row is invalid if its row was not refused, if it was sent again
 * before, or if it occurs twice in the list. `gone` when a report is no longer kept: nobody knows its rows.
 */
export const selectRows = async (
  work: Pick<ObjectStore, 'get'>,
  batches: readonly Batch[],
  rows: readonly CorrectedRow[],
): Promise<Result<RetrySelection, readonly ProblemError[] | 'gone'>> => {
  const refused = await refusedRows(work, batches, new Set(rows.map(({ batch }) => batch)));
  if (!refused) return err('gone');
  const found = rows.map((row) => refused.get(row.batch)?.get(row.row));
  const faults = rows.flatMap(({ at }, index) =>
    found[index]
      ? []
      : [lineFault(at, 'not_refused', 'is no refused row of this job, or was sent again before.')],
  );
  const allFaults = [...faults, ...repeatedRows(rows), ...mixedBatches(batches, rows)];
  if (allFaults.length > 0) return err(allFaults.slice(0, MAX_FAULTS));
  return ok(selectionOf(batches, rows, { found, refusedBy: reasonsAfter(refused, rows) }));
};

type RefusedRows = ReadonlyMap<string, ReadonlyMap<number, StoredRow>>;

/** The rows of batches that count as refused now, by batch and number; `undefined` when a report is no longer kept. */
const refusedRows = async (
  work: Pick<ObjectStore, 'get'>,
  batches: readonly Batch[],
  wanted: ReadonlySet<string>,
): Promise<RefusedRows | undefined> => {
  const retried = retriedRows(batches);
  const reports = await mapLimited(
    batches.filter(({ uuid }) => wanted.has(uuid)),
    READS_AT_ONCE,
    async ({ uuid, result }) => {
      const rows = result?.errors ? await readReport(work, result.errors) : [];
      const left = rows?.filter(({ row }) => !retried.get(uuid)?.has(row));
      return left && ([uuid, new Map(left.map((row) => [row.row, row]))] as const);
    },
  );
  const kept = reports.filter((report) => report !== undefined);
  return kept.length < reports.length ? undefined : new Map(kept);
};

const nameOf = ({ batch, row }: Pick<CorrectedRow, 'batch' | 'row'>): string => `${batch} ${row}`;

const repeatedRows = (rows: readonly CorrectedRow[]): readonly ProblemError[] =>
  repeatsIn(rows, nameOf).map(({ item }) => lineFault(item.at, 'duplicate', 'is in the list twice.'));

/** How the reasons of the batches change when their rows are sent again. */
const reasonsAfter = (refused: RefusedRows, rows: readonly CorrectedRow[]): readonly Reason[] => {
  const sent = new Set(rows.map(nameOf));
  return [...refused].reduce<readonly Reason[]>((sum, [batch, reported]) => {
    const before = [...reported.values()];
    const after = before.filter(({ row }) => !sent.has(nameOf({ batch, row })));
    return addReasons(sum, reasonsBetween(reasonsOf(before), reasonsOf(after)));
  }, []);
};

/** `skip_appends` is an option of a whole batch, so all rows of a retry need the same value. */
const mixedBatches = (batches: readonly Batch[], rows: readonly CorrectedRow[]): readonly ProblemError[] => {
  const [first, ...others] = rows.map(({ batch }) => batches.find(({ uuid }) => uuid === batch)?.skipAppends);
  const index = others.findIndex((skips) => skips !== undefined && skips !== first);
  const odd = rows[index + 1];
  if (index === -1 || !odd) return [];
  const detail =
    'is of a batch with another skip_appends than the first row. Send such rows in separate requests.';
  return [lineFault(odd.at, 'mixed_batches', detail)];
};

/**
 * Rows of a file keep their number and line. Records get new numbers, because records of two batches may share a
 * number.
 */
const selectionOf = (
  batches: readonly Batch[],
  rows: readonly CorrectedRow[],
  {
    found,
    refusedBy,
  }: { readonly found: readonly (StoredRow | undefined)[]; readonly refusedBy: readonly Reason[] },
): RetrySelection => {
  const failed = found.filter((row) => row?.failed === true).length;
  const uuids = [...new Set(rows.map(({ batch }) => batch))];
  return {
    corrections: rows.map(({ row, cells }, index) => {
      const line = found[index]?.line ?? null;
      return { row: line === null ? index + 1 : row, line, cells: [...cells] };
    }),
    retry: {
      unserializable: rows.length - failed,
      failed,
      rows: uuids.map((batch) => ({
        batch,
        rows: printRowRanges(rows.filter((each) => each.batch === batch).map(({ row }) => row)),
      })),
      refusedBy: [...refusedBy],
    },
    skipAppends: batches.find(({ uuid }) => uuid === uuids[0])?.skipAppends ?? false,
  };
};
