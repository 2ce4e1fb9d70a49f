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
