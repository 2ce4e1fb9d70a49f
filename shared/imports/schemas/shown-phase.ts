/** Shown phase: what a job is doing now, in words, beside its status. */
import type { ImportJob, Progress } from '../items/import-job.ts';
import { hasEnded } from '../items/job-status.ts';

/** Phases of a job in the API. `docs/imports-reference.md` explains them. */
export const shownPhases = [
  'waiting_for_file',
  'waiting_for_batches',
  'inspecting',
  'reading',
  'importing',
  'settling',
  'complete',
  'failed',
  'cancelling',
  'cancelled',
  'undoing',
  'undone',
] as const;
export type ShownPhase = (typeof shownPhases)[number];

/** The phase of a job with this progress. */
export const shownPhaseOf = (
  { phase, undo }: Pick<ImportJob, 'phase' | 'undo'>,
  { status, ingested, processing, finished }: Progress,
): ShownPhase => {
  if (undo !== null) return undo.finished === null ? 'undoing' : 'undone';
  switch (phase) {
    case 'awaiting':
      return 'waiting_for_file';
    case 'started':
      return 'inspecting';
    case 'readable':
      return 'reading';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return finished === null ? 'cancelling' : 'cancelled';
    case 'open':
    case 'split':
    case 'reopened':
      if (phase === 'open' && ingested === 0) return 'waiting_for_batches';
      if (processing > 0) return 'importing';
      return hasEnded(status) ? 'complete' : 'settling';
  }
};
