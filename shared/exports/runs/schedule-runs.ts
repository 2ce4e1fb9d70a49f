import { awsExpressions } from '../../schedules/aws-expressions.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isoTime } from '../../runtime/clock.ts';
import type { Schedules } from '../../runtime/ports.ts';
import type { ExportDefinition } from '../model/items.ts';
import type { ExportRepository } from '../model/repository.ts';
import { requestRun, type RunDeps } from './request-run.ts';

/** What removing schedules needs. */
export interface RemoveDeps {
  readonly schedules: Pick<Schedules, 'remove'>;
}

/** What keeping schedules as they should be needs. */
export interface SyncDeps {
  readonly exports: ExportRepository;
  readonly schedules: Schedules;
}

/** What running an export by its schedule needs. */
export interface ScheduledDeps extends RunDeps, RemoveDeps {
  readonly clock: Clock;
}

/** A revision of a definition. Its schedules never change: a replaced definition has others. */
export interface RevisionRef {
  readonly property: number;
  readonly export: number;
  readonly revision: number;
}

/** What EventBridge Scheduler sends when it is time; `time` is the scheduled time, the same however often it is sent. */
export interface ScheduledRun extends RevisionRef {
  readonly time: string;
}

/** At most two schedules: one for each field of days. */
const PARTS = [0, 1] as const;
const nameOf = ({ property, export: id, revision }: RevisionRef, part: number): string =>
  `p${property}-export-${id}-r${revision}-${part}`;

/**
 * Makes the schedules of a revision what they should be: there while the definition is of this revision and has runs to
 * come, else not. Done again, or by several at once, it comes out the same: whoever has made one looks again afterwards.
 * Answers the definition while it has runs to come.
 */
export const syncSchedules = async (
  deps: SyncDeps,
  ref: RevisionRef,
): Promise<ExportDefinition | undefined> => {
  const before = await scheduled(deps, ref);
  if (before) await createSchedules(deps, ref, before);
  const after = before && (await scheduled(deps, ref));
  if (!after) await removeSchedules(deps, ref);
  return after;
};

/** The definition, if this is its revision and its schedule has runs to come. */
const scheduled = async (
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
  const input = JSON.stringify({ v: 1, property, export: id, revision, time: schedules.scheduledTime });
  // What runs once was told when: worked out again, it might be a later time.
  const expressions = awsExpressions(schedule, run_at === null ? created : run_at - 1);
  for (const [part, expression] of expressions.entries())
    await schedules.create({ name: nameOf(ref, part), expression, input, once: run_at !== null });
};

/** Removes the schedules of a revision. */
export const removeSchedules = async ({ schedules }: RemoveDeps, ref: RevisionRef): Promise<void> => {
  for (const part of PARTS) await schedules.remove(nameOf(ref, part));
};

/**
 * Runs an export because it is time. The scheduled time is the cause, so that it is run once however often it is told. Told
 * for a definition that was replaced or deleted, it does nothing but remove what told it.
 */
export const runScheduledExport = async (
  deps: ScheduledDeps,
  { time, ...ref }: ScheduledRun,
): Promise<void> => {
  const { property, export: id, revision } = ref;
  const name = `export-${id}-${isoTime(Date.parse(time))}`;
  const cause = { property, name, again: true, now: deps.clock() };
  const run = await requestRun(deps, { property, export: id, revision, requestKey: cause });
  if (!run.ok && run.error === 'missing') await removeSchedules(deps, ref);
};
