import type { RowCode } from '../../http/row-codes.ts';
import { isBatchCancelled } from '../jobs/cancellation.ts';
import { type Batch, isBatchParked } from '../items/batch.ts';
import type { ImportJob } from '../items/import-job.ts';
import { type ListCells, sumListCells } from '../items/list-cells.ts';
import { jobWarnings } from '../schemas/views.ts';

/** Errors and warnings of a job as a whole, in the form of reported rows. */
export const jobFindings = {
  errors: (job: ImportJob, batches: readonly Batch[]) =>
    [job.failure, ...unstoredRows(job, batches)].flatMap((failure) =>
      failure
        ? [{ ...failure, column: null, batch_job_uuid: null, file: job.file?.name ?? null, record: null }]
        : [],
    ),
  warnings: (job: ImportJob, batches: readonly Batch[]) =>
    jobWarnings(job, listsOf(batches)).map((warning) => ({
      ...warning,
      batch_job_uuid: null,
      file: job.file?.name ?? null,
      record: null,
    })),
} as const;

const listsOf = (batches: readonly Batch[]): readonly ListCells[] =>
  batches.map(({ result }) => result?.lists ?? []).reduce(sumListCells, []);

/**
 * Rows that count as failed without an entry of their own, because their job was cancelled or undone, or because their
 * batches are parked.
 */
const unstoredRows = (job: ImportJob, batches: readonly Batch[]) => {
  const left = batches
    .filter(({ result }) => !result)
    .map((batch) => ({ batch, why: whyUnstored(job, batch) }));
  return unstoredCodes.flatMap((code) => {
    const rows = left.reduce((sum, { batch, why }) => sum + (why === code ? batch.records : 0), 0);
    return rows > 0 ? [{ code, message: messages[code](rows), field: null, row: null, line: null }] : [];
  });
};

const unstoredCodes = ['cancelled', 'undone', 'parked'] as const satisfies readonly RowCode[];

/** Why no worker stores the rows of a batch without a result; `undefined` while one may still store them. */
const whyUnstored = (job: ImportJob, batch: Batch): (typeof unstoredCodes)[number] | undefined => {
  if (isBatchCancelled(job, batch)) return 'cancelled';
  if (job.undo) return 'undone';
  return isBatchParked(batch) ? 'parked' : undefined;
};

const messages = {
  cancelled: (rows: number) => `The job was cancelled before ${rows} of its rows were stored.`,
  undone: (rows: number) => `The job was undone before ${rows} of its rows were stored.`,
  parked: (rows: number) =>
    `${rows} rows could not be stored for a reason on our side. They are kept, and stored once it is mended.`,
} as const;
