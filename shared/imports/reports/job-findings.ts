import type { RowCode } from '../../http/row-codes.ts';
import { isBatchCancelled } from '../jobs/cancellation.ts';
import { type Batch, isBatchParked } from '../model/batch.ts';
import type { ImportJob } from '../model/import-job.ts';
import { type ListCells, sumListCells } from '../model/list-cells.ts';
import { jobWarnings } from '../model/views.ts';

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
 * Rows that count as failed without an entry of their own, because their job was cancelled or their batches are parked.
 */
const unstoredRows = (job: ImportJob, batches: readonly Batch[]): readonly UnstoredRows[] => {
  const left = batches.filter(({ result }) => !result);
  const cancelled = countRows(left.filter((batch) => isBatchCancelled(job, batch)));
  const parked = countRows(left.filter((batch) => isBatchParked(batch) && !isBatchCancelled(job, batch)));
  return [
    ...(cancelled > 0 ? [unstored('cancelled', cancelledMessage(cancelled))] : []),
    ...(parked > 0 ? [unstored('parked', parkedMessage(parked))] : []),
  ];
};

interface UnstoredRows {
  readonly code: RowCode;
  readonly message: string;
  readonly field: null;
  readonly row: null;
  readonly line: null;
}

const unstored = (code: RowCode, message: string): UnstoredRows => ({
  code,
  message,
  field: null,
  row: null,
  line: null,
});

const countRows = (batches: readonly Batch[]): number =>
  batches.reduce((sum, { records }) => sum + records, 0);
const cancelledMessage = (rows: number): string =>
  `The job was cancelled before ${rows} of its rows were stored.`;
const parkedMessage = (rows: number): string =>
  `${rows} rows could not be stored for a reason on our side. They are kept, and stored once it is mended.`;
