/** Overdue announcement: tells whether nobody announces the end of a job any more, for the repair of imports. */
import { limits } from '../../config/limits.ts';
import type { ImportJob } from '../model/import-job.ts';
import type { ImportRepository } from '../model/repository.ts';

/** Time that a workflow may take from the end of a job, or from the next attempt at a delivery. */
const OVERDUE_MS = limits.imports.announceSeconds * 1000;

/** No execution of a workflow lives this long. */
const LONGEST_MS = limits.workflows.timeoutSeconds * 1000;

/** Whether a job of a file has ended, or must have ended, and its end is not announced yet. */
export const owesAnnouncement = ({ file, phase, announced }: ImportJob): boolean =>
  file !== null &&
  file.object !== null &&
  announced === null &&
  (phase === 'split' || phase === 'reopened' || phase === 'failed');

/**
 * Whether the workflow of a job has died before it announced the end of the job: the end is long ago, and so is the time
 * of the next attempt at each delivery.
 */
export const isAnnouncementOverdue = async (
  imports: Pick<ImportRepository, 'importDeliveries'>,
  job: ImportJob,
  now: number,
): Promise<boolean> => {
  if (!owesAnnouncement(job) || now - endOf(job) <= OVERDUE_MS) return false;
  const deliveries = await imports.importDeliveries(job);
  return deliveries.every(({ next_attempt }) => now - (next_attempt ?? 0) > OVERDUE_MS);
};

/** When a job ended. A job whose end nobody has stored has lost its workflow once no execution can be running. */
const endOf = ({ phase, final, ended, created }: ImportJob): number =>
  phase === 'failed' ? (ended ?? created) : (final?.progress.finished ?? (ended ?? created) + LONGEST_MS);
