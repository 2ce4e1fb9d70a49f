/** Export tasks: the tasks that look after the jobs and the schedules of exports (`reconcileExports`). */
import { limits } from '../../config/limits.ts';
import type { NewTask } from '../../tasks/tasks.ts';

/** Looks after a job until it has ended, its deliveries are started, and its leftovers are removed. */
export const jobTask = (property: number, exportId: number, job: number, now: number): NewTask => ({
  kind: 'export-job',
  property,
  ids: [exportId, job],
  due: now + limits.exports.taskSeconds * 1_000,
});

/**
 * Looks after the schedules of a revision until they match the definition, at once, and after its last run since a time
 * (epoch ms).
 */
export const scheduleTask = (
  property: number,
  exportId: number,
  revision: number,
  since: number,
): NewTask => ({
  kind: 'export-schedule',
  property,
  ids: [exportId, revision],
  due: since,
  state: { since },
});
