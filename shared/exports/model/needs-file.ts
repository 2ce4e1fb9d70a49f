/** Needs file: whether the file of an export job may still be opened or sent, for whoever deletes old ones. */
import { hasAttemptsLeft } from '../../deliveries/delivery-state.ts';
import type { ExportJob } from './items.ts';
import type { ExportRepository } from './repository.ts';
import { isOpen } from './transitions.ts';

/** Whether a job still needs its objects: it runs, its location opens the file, or a delivery has attempts left. */
export const needsFile = async (
  exports: Pick<ExportRepository, 'definition' | 'deliveries'>,
  job: ExportJob,
  now: number,
): Promise<boolean> => {
  if (isOpen(job)) return true;
  // Nothing opens or sends the file of a deleted export.
  if (!job.file || !(await exports.definition(job.property, job.export))) return false;
  if (job.file.expires > now) return true;
  const [deliveries = []] = await exports.deliveries([job]);
  return deliveries.some(hasAttemptsLeft);
};
