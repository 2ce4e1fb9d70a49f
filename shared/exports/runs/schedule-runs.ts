/**
 * Schedule runs: keeps the EventBridge schedules of a definition in step with its revisions, and runs exports on
 * schedule.
 */
import { isoTime, type Clock } from '../../runtime/clock.ts';
import type { Schedules } from '../../runtime/ports.ts';
import { awsExpressions } from '../../schedules/aws-expressions.ts';
import { hasRunAt, timetableOf } from '../../schedules/timetable.ts';
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

/**
 * The message of EventBridge Scheduler; `time` is the scheduled time, the same in each delivery of the message. A message
 * of an expression that catches up counts only where the schedule has a run at this time.
 */
export interface ScheduledRun extends RevisionRef {
  readonly time: string;
  readonly catches_up: boolean;
}

/**
 * A revision has at most two schedules, one for each field of days, and the same for each of two times of day that the
 * clocks of its zone skip. No zone has more of them within two years.
 */
const PARTS = [0, 1, 2, 3, 4, 5] as const;
const nameOf = ({ property, export: id, revision }: RevisionRef, part: number): string =>
  `p${property}-export-${id}-r${revision}-${part}`;

/**
 * Creates the schedules of a revision while the definition has this revision and runs to come; otherwise removes them.
 * Several callers at once reach the same state, because each caller reads the definition again after it created
 * schedules. Returns the definition while it has runs to come.
 */
export const syncSchedules = async (
  deps: SyncDeps,
  ref: RevisionRef,
): Promise<ExportDefinition | undefined> => {
  const before = await scheduledDefinition(deps, ref);
  if (before) await createSchedules(deps, ref, before);
  const after = before && (await scheduledDefinition(deps, ref));
  if (!after) await removeSchedules(deps, ref);
  return after;
};

/** The definition, if it has this revision and runs to come. */
const scheduledDefinition = async (
  { exports }: SyncDeps,
  { property, export: id, revision }: RevisionRef,
): Promise<ExportDefinition | undefined> => {
  const definition = (await exports.definition(property, id))?.value;
  return definition?.revision === revision && definition.to_come ? definition : undefined;
};

/** Creates the schedules of a revision. */
export const createSchedules = async (
  { schedules }: Pick<SyncDeps, 'schedules'>,
  ref: RevisionRef,
  { schedule, run_at, created }: ExportDefinition,
): Promise<void> => {
  if (schedule === null) throw new Error('exports: runs are to come without a schedule');
  const { property, export: id, revision } = ref;
  const message = { v: 1, property, export: id, revision, time: schedules.scheduledTime };
  // A schedule that runs once keeps its stored time: computed again, the time might be later.
  const expressions = awsExpressions(schedule, run_at === null ? created : run_at - 1);
  for (const [part, { expression, timezone, catchesUp = false }] of expressions
    .slice(0, PARTS.length)
    .entries()) {
    const input = JSON.stringify({ ...message, catches_up: catchesUp });
    await schedules.create({ name: nameOf(ref, part), expression, timezone, input, once: run_at !== null });
  }
};

/** Removes the schedules of a revision. */
export const removeSchedules = async ({ schedules }: RemoveDeps, ref: RevisionRef): Promise<void> => {
  for (const part of PARTS) await schedules.remove(nameOf(ref, part));
};

/**
 * Runs an export at a scheduled time. The time is the idempotency key, so repeated messages make one run. A message for a
 * revision that was replaced or deleted only removes the schedules of that revision.
 */
export const runScheduledExport = async (
  deps: ScheduledDeps,
  { time, catches_up, ...ref }: ScheduledRun,
): Promise<void> => {
  const { property, export: id, revision } = ref;
  if (catches_up && !(await isRun(deps, ref, Date.parse(time)))) return;
  const requestKey = `export-${id}-${isoTime(Date.parse(time))}`;
  const requestIdentity = { property, requestKey, again: true, now: deps.clock() };
  const run = await requestRun(deps, { property, export: id, revision, requestIdentity });
  if (!run.ok && run.error === 'missing') await removeSchedules(deps, ref);
};

/** Whether the schedule of a revision has a run at a time. A revision that is gone has: its message removes its schedules. */
const isRun = async (
  { exports }: Pick<ScheduledDeps, 'exports'>,
  { property, export: id, revision }: RevisionRef,
  time: number,
): Promise<boolean> => {
  const definition = (await exports.definition(property, id))?.value;
  if (definition?.revision !== revision || definition.schedule === null) return true;
  return hasRunAt(timetableOf(definition.schedule), time);
};
