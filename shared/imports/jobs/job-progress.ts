/** Job progress: derives the status and the counts of a job from the tallies of its batches; pure functions. */
import type { Counts, ImportJob, Progress } from '../items/import-job.ts';
import type { Batch } from '../items/batch.ts';
import { type ListCells, sumListCells } from '../items/row-findings.ts';
import type { JobStatus } from '../items/job-status.ts';
import { isCountedFinished, type NamedTally, type Tally } from '../counting/tally.ts';

/** Totals over the batches of a job. */
export interface Totals extends Counts {
  readonly batches: number;
  readonly waiting: number;
  /** Number of parked batches. */
  readonly parked: number;
  readonly firstAccepted: number | null;
  /** When the newest batch got its result or was parked. Null before the first. */
  readonly lastFinished: number | null;
  readonly lists: readonly ListCells[];
}

/** The batches of a job, as far as its progress depends on them. */
export interface CountedBatches {
  readonly tallies: readonly NamedTally[];
  /** The batches that workers of a cancelled job finish. */
  readonly finishing: readonly Pick<Batch, 'slot' | 'source' | 'records' | 'parked'>[];
}

/** A job without batches. */
export const noBatches: CountedBatches = { tallies: [], finishing: [] };

/**
 * Sums up the batches of a job. A row that the client sent again counts once, in its last batch. A record of a batch
 * without a result counts as serialized and processing. It counts as failed while its batch is parked or after it was
 * cancelled, or its job undone. So `ingested = serialized + unserializable` and `serialized = processing + completed +
 * failed` hold at every moment.
 */
export const totalsOf = (
  job: Pick<ImportJob, 'phase' | 'finishing' | 'undo'>,
  { tallies, finishing }: CountedBatches,
): Totals => {
  const sum = (name: Exclude<keyof Tally, 'added' | 'finished' | 'parked' | 'lists'>): number =>
    tallies.reduce((total, tally) => total + tally[name], 0);
  const open = openOf(
    job,
    { tallies, finishing },
    {
      batches: sum('batches') - sum('finishedBatches') - sum('parkedBatches'),
      records: sum('records') - sum('finishedRecords') - sum('parkedRecords'),
    },
  );
  const withoutResult = sum('records') - sum('finishedRecords');
  return {
    batches: sum('batches'),
    waiting: open.batches,
    parked: sum('parkedBatches'),
    ingested: sum('ingested'),
    serialized: sum('serialized') + withoutResult - sum('retriedFailed'),
    unserializable: sum('unserializable') - sum('retriedUnserializable'),
    processing: open.records,
    completed: sum('completed'),
    failed: sum('failed') + withoutResult - open.records - sum('retriedFailed'),
    lists: tallies.map(({ lists }) => lists).reduce(sumListCells, []),
    firstAccepted: tallies.length === 0 ? null : Math.min(...tallies.map((tally) => tally.firstAccepted)),
    lastFinished:
      sum('finishedBatches') + sum('parkedBatches') === 0
        ? null
        : Math.max(...tallies.map((tally) => tally.lastFinished)),
  };
};

interface OpenBatches {
  readonly batches: number;
  readonly records: number;
}

/**
 * The batches that workers will still finish: those without a counted result that are neither parked nor cancelled, and
 * whose job is not undone.
 */
const openOf = (
  { phase, finishing: uuids, undo }: Pick<ImportJob, 'phase' | 'finishing' | 'undo'>,
  { tallies, finishing }: CountedBatches,
  open: OpenBatches,
): OpenBatches => {
  if (undo !== null) return { batches: 0, records: 0 };
  if (phase !== 'cancelled' || uuids === null) return open;
  const left = finishing.filter((batch) => batch.parked === null && !isCountedFinished(tallies, batch));
  return { batches: left.length, records: left.reduce((total, { records }) => total + records, 0) };
};

/** Whether all records of a job have an outcome. For a job that accepts batches: all records so far. */
export const isProcessed = ({ phase }: ImportJob, { batches, waiting }: Totals): boolean =>
  waiting === 0 && (phase === 'split' || phase === 'reopened' || (phase === 'open' && batches > 0));

/** Number of batches with a result, where no batch is cancelled. */
export const resultsOf = ({ batches, waiting, parked }: Totals): number => batches - waiting - parked;

/** The status of a job. `visible` means that the effects of its batches are in every index. */
const statusOf = (job: ImportJob, totals: Totals, visible: boolean): JobStatus => {
  switch (job.phase) {
    case 'failed':
    case 'cancelled':
      return job.phase;
    case 'awaiting':
      return 'unknown';
    case 'started':
    case 'readable':
      return 'ingesting';
    case 'open':
    case 'split':
    case 'reopened':
      if (isProcessed(job, totals) && visible)
        return totals.unserializable + totals.failed > 0 ? 'complete-with-errors' : 'complete';
      if (totals.batches === 0) return job.phase === 'open' ? 'unknown' : 'processing';
      return totals.waiting === totals.batches ? 'ingestion-complete' : 'processing';
  }
};

/** The progress of a job, derived from the totals over its batches. `visible` means that their effects are in every index. */
export const progressOf = (job: ImportJob, totals: Totals, visible: boolean): Progress => {
  const status = statusOf(job, totals, visible);
  const { ingested, serialized, unserializable, processing, completed, failed } = totals;
  return {
    status,
    started: job.started ?? totals.firstAccepted,
    finished: finishedAt(job, totals, status),
    ...{ ingested, serialized, unserializable, processing, completed, failed },
    lists: [...totals.lists],
  };
};

/**
 * When a job finished: when its last batch ended or was parked. A file without rows finishes when it has been read. A cancelled job
 * finishes when its cancellation is settled and workers have finished the batches that they had begun.
 */
const finishedAt = (job: ImportJob, totals: Totals, status: JobStatus): number | null => {
  if (status === 'complete' || status === 'complete-with-errors') return totals.lastFinished ?? job.ended;
  if (status === 'cancelled') {
    return totals.waiting > 0 || job.finishing === null
      ? null
      : Math.max(job.ended ?? 0, totals.lastFinished ?? 0);
  }
  return status === 'failed' ? job.ended : null;
};
