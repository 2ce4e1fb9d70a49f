/** Overdue announcement: tells whether nobody announces the end of a job any more, for the tasks of imports. */
import { limits } from '../../config/limits.ts';
import { hasAttemptsLeft } from '../../deliveries/delivery-state.ts';
import type { ImportDelivery } from '../items/import-delivery.ts';
import type { ImportJob } from '../items/import-job.ts';

/** Time that a workflow may take from the end of a job, or from the next attempt at a delivery. */
export const OVERDUE_MS = limits.imports.announceSeconds * 1000;

/** No execution of a workflow lives this long. */
const LONGEST_MS = limits.workflows.timeoutSeconds * 1000;

/**
 * Whether somebody is still to be told about the end of a job: the job of a file has ended, or must have ended, and its end
 * is not announced yet, or a client wants a delivery once more.
 */
export const owesAnnouncement = (
  { file, phase, announced }: ImportJob,
  deliveries: readonly ImportDelivery[],
): boolean => {
  if (announced !== null) return deliveries.some(hasAttemptsLeft);
  return (
    file !== null && file.object !== null && (phase === 'split' || phase === 'reopened' || phase === 'failed')
  );
};

/**
 * Whether the workflow of a job has died before it announced the end of the job: the end is long ago, or the replay, and so
 * is the time of the next attempt at each delivery. `since` is when the task of the job was last added, as each replay
 * does.
 */
export const isAnnouncementOverdue = (
  job: ImportJob,
  deliveries: readonly ImportDelivery[],
  { since, now }: { readonly since: number; readonly now: number },
): boolean => {
  if (!owesAnnouncement(job, deliveries)) return false;
  const due = job.announced === null ? endOf(job) : since;
  const isLate = (time: number): boolean => now - time > OVERDUE_MS;
  return isLate(due) && deliveries.every(({ next_attempt }) => isLate(next_attempt ?? 0));
};

/** When a job ended. A job whose end nobody has stored has lost its workflow once no execution can be running. */
const endOf = ({ phase, final, ended, created }: ImportJob): number =>
  phase === 'failed' ? (ended ?? created) : (final?.progress.finished ?? (ended ?? created) + LONGEST_MS);
