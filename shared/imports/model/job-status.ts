/** States of a job, in the order they are gone through. */
export const jobStatuses = [
  'unknown',
  'ingesting',
  'ingestion-complete',
  'processing',
  'complete',
  'complete-with-errors',
  'failed',
  'cancelled',
] as const;
export type JobStatus = (typeof jobStatuses)[number];

const ends: ReadonlySet<JobStatus> = new Set(['complete', 'complete-with-errors', 'failed', 'cancelled']);

/** Whether a job of this status has ended, as far as anybody can tell: one that takes batches may get another. */
export const hasEnded = (status: JobStatus): boolean => ends.has(status);
