/**
 * Timeline schedule: the EventBridge schedules of a timeline, the task that keeps them in step with it, and the moments that
 * they tell.
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import type { Schedules } from '../runtime/ports.ts';
import {
  isRun,
  removeSchedules,
  scheduleKind,
  type KeepDeps,
  type Scheduled,
  type ScheduledTime,
} from '../schedules/client-schedules.ts';
import { nextRun, timetableOf } from '../schedules/timetable.ts';
import type { Table } from '../table/table.ts';
import type { TaskKind } from '../tasks/reconcile.ts';
import { addTask, type NewTask } from '../tasks/tasks.ts';
import { addMoment, type AddMomentDeps } from './add-moment.ts';
import { readTimeline } from './read-items.ts';
import { scheduleOf } from './timeline-items.ts';

/** A timeline of a property. Its schedule never changes. */
export interface TimelineRef {
  readonly property: number;
  readonly timeline: number;
}

/** The schedules of a timeline. */
export const timelineSchedules = ({ property, timeline }: TimelineRef): Scheduled => ({
  name: `p${property}-timeline-${timeline}`,
  ref: { property, timeline },
});

/** The task that looks after the schedules of a timeline, and after its last run since a time (both in epoch ms). */
export const scheduleTask = (
  { property, timeline }: TimelineRef,
  { due, since }: { readonly due: number; readonly since: number },
): NewTask => ({ kind: 'timeline-schedule', property, ids: [timeline], due, state: { since } });

const ids = v.tuple([v.number()]);

/** The tasks of schedules of timelines: the schedules are there while their timeline is. */
export const scheduleTasks = (deps: KeepDeps & { readonly table: Table }) =>
  ({
    'timeline-schedule': scheduleKind(deps, async ({ property, ids: of }) => {
      const [timeline] = v.parse(ids, of);
      const found = await readTimeline(deps.table, property, timeline);
      return { scheduled: timelineSchedules({ property, timeline }), toCome: found && scheduleOf(found) };
    }),
  }) satisfies Record<string, TaskKind>;

/** The message of EventBridge Scheduler. */
export type ScheduledMoment = TimelineRef & ScheduledTime;

export interface ScheduledDeps extends AddMomentDeps {
  readonly schedules: Pick<Schedules, 'remove'>;
}

/**
 * Adds the moment of a scheduled time. The time is the idempotency key, so repeated messages make one moment. Of times that
 * were missed, the last one makes up for all. A moment that comes too early behind another one waits, unless the next one
 * would then be too early. A message for a deleted timeline only removes its schedules.
 */
export const addScheduledMoment = async (
  deps: ScheduledDeps,
  { property, timeline, ...scheduled }: ScheduledMoment,
): Promise<void> => {
  const { table, clock, schedules, intervalMs } = deps;
  const ref = { property, timeline };
  const schedule = (await readTimeline(table, property, timeline))?.schedule;
  if (!schedule) return removeSchedules(schedules, timelineSchedules(ref));
  if (!isRun(schedule, scheduled)) return;
  const time = Date.parse(scheduled.time);
  const next = schedule.once === true ? undefined : nextRun(timetableOf(schedule), time);
  if (next !== undefined && next <= clock()) return;
  const wait = await makeDueMoment(deps, ref, time);
  const due = clock() + wait;
  if (wait === 0 || (next !== undefined && due + intervalMs > next)) return;
  await addTask(deps, scheduleTask(ref, { due, since: time - 1 }));
};

/**
 * Makes a due moment, with its scheduled time as nominal time unless that is too long ago. Returns the wait (ms) until
 * the moment can be made; 0 for a moment that was made, or can never be made.
 */
const makeDueMoment = async (
  deps: AddMomentDeps,
  { property, timeline }: TimelineRef,
  time: number,
): Promise<number> => {
  const requestKey = `due-${timeline}-${time}`;
  const requestIdentity = { property, requestKey, again: true, now: deps.clock() };
  const request = { property, timeline, requestIdentity };
  const isLate = deps.clock() - time > limits.timelines.lateSeconds * 1000;
  const inTime = isLate ? undefined : await addMoment(deps, { ...request, at: time });
  const made = inTime && !isTooEarly(inTime) ? inTime : await addMoment(deps, request);
  return made.ok || made.error === 'not_found' ? 0 : made.error.wait;
};

const isTooEarly = (made: Awaited<ReturnType<typeof addMoment>>): boolean =>
  !made.ok && made.error !== 'not_found';
