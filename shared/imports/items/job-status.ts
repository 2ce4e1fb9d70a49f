/** Statuses of a job in the API, in the order of progress. */
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

/** Whether a job with this status has ended. A job that accepts batches can still get another batch. */
export const hasEnded = (status: JobStatus): boolean => ends.has(status);
