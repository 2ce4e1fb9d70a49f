/**
 * Schedule runs: keeps the EventBridge schedules of a definition in step with its revisions, and runs exports on
 * schedule.
 */
import { isoTime, type Clock } from '../../runtime/clock.ts';
import type { Schedules } from '../../runtime/ports.ts';
import * as clientSchedules from '../../schedules/client-schedules.ts';
import {
  isRun,
  type RunsToCome,
  type Scheduled,
  type ScheduledTime,
} from '../../schedules/client-schedules.ts';
import type { ExportDefinition } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestRun, type RunDeps } from './request-run.ts';

export interface RemoveDeps {
  readonly schedules: Pick<Schedules, 'remove'>;
}

export interface SyncDeps {
  readonly exports: ExportRepository;
  readonly schedules: Schedules;
}

export interface ScheduledDeps extends RunDeps, RemoveDeps {
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

/** The runs that a definition has to come; a run that was fixed when the definition was made keeps its time. */
const runsToCome = ({ schedule, run_at, created }: ExportDefinition): RunsToCome => {
  if (schedule === null) throw new Error('exports: runs are to come without a schedule');
  return { schedule, after: run_at === null ? created : run_at - 1 };
};

/**
 * Brings the schedules of a revision in step with the definition, which has runs to come in one revision at most. Returns the
 * definition while this revision has them.
 */
export const syncSchedules = async (
  { exports, schedules }: SyncDeps,
  ref: RevisionRef,
): Promise<ExportDefinition | undefined> => {
  const synced = await clientSchedules.syncSchedules(schedules, exportSchedules(ref), async () => {
    const definition = (await exports.definition(ref.property, ref.export))?.value;
    if (definition?.revision !== ref.revision || !definition.to_come) return undefined;
    return { ...runsToCome(definition), definition };
  });
  return synced?.definition;
};

/** Creates the schedules of a revision. */
export const createSchedules = (
  { schedules }: Pick<SyncDeps, 'schedules'>,
  ref: RevisionRef,
  definition: ExportDefinition,
): Promise<void> => clientSchedules.createSchedules(schedules, exportSchedules(ref), runsToCome(definition));

/** Removes the schedules of a revision. */
export const removeSchedules = ({ schedules }: RemoveDeps, ref: RevisionRef): Promise<void> =>
  clientSchedules.removeSchedules(schedules, exportSchedules(ref));

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
  if (!run.ok && run.error === 'missing') await removeSchedules(deps, { property, export: id, revision });
};
