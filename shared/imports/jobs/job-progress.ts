/** Job progress: derives the status and the counts of a job from its batches; pure functions. */
import type { Counts, ImportJob, Progress } from '../model/import-job.ts';
import type { Batch } from '../model/batch.ts';
import type { JobStatus } from '../model/job-status.ts';
import { isBatchCancelled } from './cancellation.ts';

/** Totals over the batches of a job. */
export interface Tally extends Counts {
  readonly batches: number;
  readonly waiting: number;
  /** Number of parked batches. */
  readonly parked: number;
  readonly firstAccepted: number | null;
  readonly lastFinished: number | null;
}

/**
 * Sums up the batches of a job. A row that the client sent again counts once, in its last batch. A record of a batch
 * without a result counts as serialized and processing. It counts as failed while its batch is parked or after it was
 * cancelled. So `ingested = serialized + unserializable` and `serialized = processing + completed + failed` hold at
 * every moment.
 */
export const tallyBatches = (
  job: Pick<ImportJob, 'phase' | 'finishing'>,
  batches: readonly Batch[],
): Tally => {
  const tally = { ...nothing, batches: batches.length, waiting: 0, parked: 0 };
  let firstAccepted: number | null = null;
  let lastFinished: number | null = null;
  for (const batch of batches) {
    const { records, accepted, result, retry } = batch;
    const outcome = result ?? { ...nothing, serialized: records, ...unfinished(job, batch) };
    for (const name of ['serialized', 'unserializable', 'completed', 'failed'] as const)
      tally[name] += outcome[name];
    tally.ingested += retry ? 0 : records;
    tally.serialized -= retry?.failed ?? 0;
    tally.unserializable -= retry?.unserializable ?? 0;
    tally.failed -= retry?.failed ?? 0;
    const left = outcome.serialized - outcome.completed - outcome.failed;
    tally.processing += left;
    tally.waiting += left > 0 ? 1 : 0;
    tally.parked += isBatchParked(batch) ? 1 : 0;
    firstAccepted = Math.min(firstAccepted ?? accepted, accepted);
    if (result) lastFinished = Math.max(lastFinished ?? 0, result.finished);
  }
  return { ...tally, firstAccepted, lastFinished };
};

/** Counts of the records of a batch that no worker will finish; nothing for other batches. */
const unfinished = (job: Pick<ImportJob, 'phase' | 'finishing'>, batch: Batch): Partial<Counts> =>
  isBatchCancelled(job, batch) || isBatchParked(batch) ? { failed: batch.records } : {};

/** Whether a batch is parked: no worker imports it, and only a redrive will bring its result. */
export const isBatchParked = ({ result, parked }: Batch): boolean => result === null && parked !== null;

const nothing = {
  ingested: 0,
  serialized: 0,
  unserializable: 0,
  processing: 0,
  completed: 0,
  failed: 0,
};

/** Whether all records of a job have an outcome. For a job that accepts batches: all records so far. */
export const isProcessed = ({ phase }: ImportJob, { batches, waiting }: Tally): boolean =>
  waiting === 0 && (phase === 'split' || phase === 'reopened' || (phase === 'open' && batches > 0));

/** The status of a job. `visible` means that the effects of its batches are in every index. */
const statusOf = (job: ImportJob, tally: Tally, visible: boolean): JobStatus => {
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
      if (isProcessed(job, tally) && visible)
        return tally.unserializable + tally.failed > 0 ? 'complete-with-errors' : 'complete';
      if (tally.batches === 0) return job.phase === 'open' ? 'unknown' : 'processing';
      return tally.waiting === tally.batches ? 'ingestion-complete' : 'processing';
  }
};

/** The progress of a job, derived from its batches. `visible` means that their effects are in every index. */
export const progressOf = (job: ImportJob, tally: Tally, visible: boolean): Progress => {
  const status = statusOf(job, tally, visible);
  const { ingested, serialized, unserializable, processing, completed, failed } = tally;
  return {
    status,
    started: job.started ?? tally.firstAccepted,
    finished: finishedAt(job, tally, status),
    ...{ ingested, serialized, unserializable, processing, completed, failed },
  };
};

/**
 * When a job finished: at the end of its last batch. A file without rows finishes when it has been read. A cancelled job
 * finishes when its cancellation is settled and workers have finished the batches that they had begun.
 */
const finishedAt = (job: ImportJob, tally: Tally, status: JobStatus): number | null => {
  if (status === 'complete' || status === 'complete-with-errors') return tally.lastFinished ?? job.ended;
  if (status === 'cancelled') {
    return tally.waiting > 0 || job.finishing === null
      ? null
      : Math.max(job.ended ?? 0, tally.lastFinished ?? 0);
  }
  return status === 'failed' ? job.ended : null;
};
