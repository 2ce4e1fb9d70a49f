/** Needs files: whether an import job may still read its objects, for whoever deletes old ones. */
import type { ImportJob } from '../items/import-job.ts';
import type { ImportRepository } from '../repository/repository.ts';
import { canMove } from '../items/transitions.ts';
import { isProcessed } from './job-progress.ts';
import { owesAnnouncement } from './overdue-announcement.ts';
import { hasResult, readTotals } from './read-progress.ts';

/**
 * Whether a job still needs its file, its batches or its reports: its file is being read, batches have no result, a redrive
 * may bring the result of a parked batch, a dry run is not added up, or somebody is still to be told about the end. A job
 * that needs none of its old objects never needs them again: a new batch and a retry bring objects of their own.
 */
export const needsFiles = async (
  imports: Pick<ImportRepository, 'tallies' | 'batchesOf' | 'importDeliveries'>,
  job: ImportJob,
): Promise<boolean> => {
  // What may fail because of its file still reads the file.
  if (canMove(job, 'fail')) return true;
  if (job.file && owesAnnouncement(job, await imports.importDeliveries(job))) return true;
  // The batches of an undone job store nothing more.
  if (job.undo) return false;
  const totals = await readTotals(imports, job);
  if (totals.waiting > 0 || totals.parked > 0) return true;
  return job.dryRun && isProcessed(job, totals) && !hasResult(job, totals);
};
