/** Client schedules: the schedules of EventBridge Scheduler that belong to a thing of a client, and their messages. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { isoTime, type Clock } from '../runtime/clock.ts';
import type { Queue, Schedules } from '../runtime/ports.ts';
import type { Looked, TaskKind } from '../tasks/reconcile.ts';
import type { Task } from '../tasks/tasks.ts';
import { awsExpressions } from './aws-expressions.ts';
import type { Schedule } from './schedule.ts';
import { hasRunAt, nextRun, timetableOf } from './timetable.ts';

/** A thing with a schedule that never changes: a revision of an export, or a timeline. */
export interface Scheduled {
  /** Begins the names of its schedules. */
  readonly name: string;
  /** The numbers that name it in its messages. */
  readonly ref: Readonly<Record<string, number>>;
}

/** A schedule with runs to come after a time (epoch ms). A schedule that runs once has its run then. */
export interface RunsToCome {
  readonly schedule: Schedule;
  readonly after: number;
}

/** The next run after a time (epoch ms), as answers show it; `null` without a schedule, and when no run is to come. */
export const shownNextRun = (toCome: RunsToCome | undefined, now: number): string | null => {
  if (!toCome) return null;
  const { schedule, after } = toCome;
  const next = nextRun(timetableOf(schedule), schedule.once === true ? after : now);
  return next === undefined || next <= now ? null : isoTime(next);
};

/**
 * What a message says about its run: the scheduled time, the same in each delivery of the message, and whether the message
 * is of an expression that catches up.
 */
export interface ScheduledTime {
  readonly time: string;
  readonly catches_up: boolean;
}

/**
 * A thing has at most two schedules, one for each field of days, and the same for each of two times of day that the clocks of
 * its zone skip. No zone has more of them within two years.
 */
const PARTS = [0, 1, 2, 3, 4, 5] as const;
const nameOf = ({ name }: Scheduled, part: number): string => `${name}-${part}`;

const KNOWN_MS = limits.schedules.knownSeconds * 1_000;

/** Ports of `scheduleKind`. */
export interface KeepDeps {
  readonly schedules: Schedules;
  /** The queue into which schedules send. */
  readonly runs: Queue;
  readonly clock: Clock;
}

const stateOfTask = v.object({ since: v.number() });

/** What a task of schedules looks at. */
export interface Kept {
  readonly scheduled: Scheduled;
  readonly toCome: RunsToCome | undefined;
}

/**
 * A kind of tasks that look after the schedules of a thing, which `read` finds. The task notes since when (epoch ms) a run
 * may have been missed.
 */
export const scheduleKind = (
  deps: KeepDeps,
  read: (task: Pick<Task, 'property' | 'ids'>) => Promise<Kept>,
): TaskKind => ({
  pauseSeconds: limits.schedules.pauseSeconds,
  look: async (task) => keepSchedules(deps, await read(task), v.parse(stateOfTask, task.state).since),
});

/**
 * Brings the schedules of a thing in step with the runs that it has to come. EventBridge Scheduler sends nothing for a time
 * that passed before it knew the schedule, so this sends the message of the last run since a time (epoch ms) itself. It
 * may come twice then; its time says that it is the same run.
 */
const keepSchedules = async (
  { schedules, runs, clock }: KeepDeps,
  { scheduled, toCome }: Kept,
  since: number,
): Promise<Looked> => {
  if (!toCome) {
    await removeSchedules(schedules, scheduled);
    return 'done';
  }
  const now = clock();
  if (!isOver(toCome, now)) await createSchedules(schedules, scheduled, toCome);
  const run = runSince(toCome, since, now);
  if (run === undefined) return 'done';
  // The task of a schedule that runs once stays until its run was told.
  if (run > now + KNOWN_MS) return toCome.schedule.once === true ? { due: run + KNOWN_MS } : 'done';
  if (run > now) return { due: run };
  await runs.send([{ body: messageOf(scheduled, { time: isoTime(run), catches_up: false }) }]);
  return 'done';
};

/** Whether a schedule that runs once has had its run. */
const isOver = (toCome: RunsToCome, now: number): boolean =>
  toCome.schedule.once === true && shownNextRun(toCome, now) === null;

/** The last run since a time; if there is none up to now, the next one. */
const runSince = ({ schedule, after }: RunsToCome, since: number, now: number): number | undefined => {
  const timetable = timetableOf(schedule);
  if (schedule.once === true) {
    const only = nextRun(timetable, after);
    return only !== undefined && only > since ? only : undefined;
  }
  let run = nextRun(timetable, since);
  for (let next = run; next !== undefined && next <= now; next = nextRun(timetable, next)) run = next;
  return run;
};

/** Creates the schedules of a thing. */
const createSchedules = async (
  schedules: Schedules,
  scheduled: Scheduled,
  { schedule, after }: RunsToCome,
): Promise<void> => {
  const expressions = awsExpressions(schedule, after).slice(0, PARTS.length);
  const once = schedule.once === true;
  for (const [part, { expression, timezone, catchesUp = false }] of expressions.entries()) {
    const input = messageOf(scheduled, { time: schedules.scheduledTime, catches_up: catchesUp });
    await schedules.create({ name: nameOf(scheduled, part), expression, timezone, input, once });
  }
};

/** Removes the schedules of a thing. */
export const removeSchedules = async (
  schedules: Pick<Schedules, 'remove'>,
  scheduled: Scheduled,
): Promise<void> => {
  for (const part of PARTS) await schedules.remove(nameOf(scheduled, part));
};

/** The message of a run. */
const messageOf = ({ ref }: Scheduled, { time, catches_up }: ScheduledTime): string =>
  JSON.stringify({ v: 1, ...ref, time, catches_up });

/** Whether a message counts: one that catches up counts only where the schedule has a run at its time. */
export const isRun = (schedule: Schedule, { time, catches_up }: ScheduledTime): boolean =>
  !catches_up || hasRunAt(timetableOf(schedule), Date.parse(time));
