/** Schedule runs: the EventBridge schedules of the revisions of a definition, and the runs that they tell. */
import { isoTime, type Clock } from '../../runtime/clock.ts';
import type { Schedules } from '../../runtime/ports.ts';
import {
  isRun,
  removeSchedules,
  type RunsToCome,
  type Scheduled,
  type ScheduledTime,
} from '../../schedules/client-schedules.ts';
import { scheduleOf } from '../model/schedule-of.ts';
import type { ExportDefinition } from '../model/items.ts';
import { requestRun, type RunDeps } from './request-run.ts';

export interface ScheduledDeps extends RunDeps {
  readonly schedules: Pick<Schedules, 'remove'>;
  readonly clock: Clock;
}

/** A revision of a definition. Its schedules never change: a new revision has schedules of its own. */
export interface RevisionRef {
  readonly property: number;
  readonly export: number;
  readonly revision: number;
}

/** The message of EventBridge Scheduler. */
export type ScheduledRun = RevisionRef & ScheduledTime;

/** The schedules of a revision. */
export const exportSchedules = ({ property, export: id, revision }: RevisionRef): Scheduled => ({
  name: `p${property}-export-${id}-r${revision}`,
  ref: { property, export: id, revision },
});

/** The runs that a revision has to come. */
export const runsToCome = (
  definition: ExportDefinition | undefined,
  revision: number,
): RunsToCome | undefined => {
  if (definition?.revision !== revision || !definition.to_come) return undefined;
  const runs = scheduleOf(definition);
  if (!runs) throw new Error('exports: runs are to come without a schedule');
  return runs;
};

/**
 * Runs an export at a scheduled time. The time is the idempotency key, so repeated messages make one run. A message for a
 * revision that was replaced or deleted only removes the schedules of that revision.
 */
export const runScheduledExport = async (
  deps: ScheduledDeps,
  { property, export: id, revision, ...scheduled }: ScheduledRun,
): Promise<void> => {
  const definition = (await deps.exports.definition(property, id))?.value;
  // A revision that is gone counts: its message removes its schedules.
  const schedule = definition?.revision === revision ? definition.schedule : null;
  if (schedule !== null && !isRun(schedule, scheduled)) return;
  const requestKey = `export-${id}-${isoTime(Date.parse(scheduled.time))}`;
  const requestIdentity = { property, requestKey, again: true, now: deps.clock() };
  const run = await requestRun(deps, { property, export: id, revision, requestIdentity });
  if (!run.ok && run.error === 'missing')
    await removeSchedules(deps.schedules, exportSchedules({ property, export: id, revision }));
};
