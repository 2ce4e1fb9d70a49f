/** Add scheduled moments: makes the moments that schedules of timelines demand, for a function that runs every minute. */
import { limits } from '../config/limits.ts';
import { Failures } from '../runtime/failures.ts';
import { mapLimited } from '../runtime/pool.ts';
import { forSeconds } from '../runtime/time-budget.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { nextRun, timetableOf } from '../schedules/timetable.ts';
import { DUE_PARTITIONS, keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { addMoment, type AddMomentDeps } from './add-moment.ts';
import { parseDueMoment, type DueMoment } from './timeline-items.ts';
import { readTimeline } from './read-items.ts';

const { abandonedSeconds, lateSeconds, scheduledAtOnce, scheduledSeconds } = limits.timelines;

/** Stores the next due moment of a timeline, if its schedule has a run after a time (epoch ms). */
export const scheduleNext = async (
  table: Table,
  { property, timeline }: Pick<DueMoment, 'property' | 'timeline'>,
  schedule: Schedule,
  after: number,
): Promise<void> => {
  const time = nextRun(timetableOf(schedule), after);
  if (time !== undefined) await scheduleAt(table, { property, timeline }, time);
};

const scheduleAt = async (
  table: Table,
  { property, timeline }: Pick<DueMoment, 'property' | 'timeline'>,
  time: number,
): Promise<void> => {
  const set = { property, timeline, time };
  await table.write({ kind: 'insert', key: keys.due(set), set });
};

/**
 * Makes all due moments and returns their number. Calls may overlap, and may be cut off anywhere: a due moment stays
 * due until the next due moment is stored, and its time is the idempotency key, so it is made once. An error in one
 * moment does not stop the others; the first error is thrown at the end, and the next call tries again.
 */
export const addScheduledMoments = async (deps: AddMomentDeps): Promise<number> => {
  const started = deps.clock();
  const hasTime = forSeconds(deps.clock, scheduledSeconds);
  const pages = await Promise.all(
    Array.from({ length: DUE_PARTITIONS }, (_, partition) =>
      deps.table.query(keys.duePartition(partition), { to: keys.dueBy(started) }),
    ),
  );
  const due = pages.flatMap(({ items }) => items.map(parseDueMoment)).sort((a, b) => a.time - b.time);
  const failures = new Failures();
  let done = 0;
  await mapLimited(due, scheduledAtOnce, async (each) => {
    if (!hasTime()) return;
    await failures.attempt(async () => {
      await addDueMoment(deps, each);
      done += 1;
    });
  });
  failures.throwFirst();
  return done;
};

const addDueMoment = async (deps: AddMomentDeps, due: DueMoment): Promise<void> => {
  const { table, clock } = deps;
  const { w, property, timeline: id, time } = due;
  const timeline = await readTimeline(table, property, id);
  if (timeline?.schedule) {
    const next = timeline.schedule.once === true ? undefined : nextAfter(timeline.schedule, time, clock());
    const wait = await makeDueMoment(deps, due);
    // The next call tries again, unless the following moment would then be too early.
    if (wait > 0 && (next === undefined || clock() + wait + deps.intervalMs <= next)) return;
    if (next !== undefined) await scheduleAt(table, due, next);
  } else if (clock() - time < abandonedSeconds * 1000) {
    // The timeline is still being made, or was deleted.
    return;
  }
  await table.write({ kind: 'delete', key: keys.due(due), expect: { w } });
};

/** The next run after now: missed runs are skipped. */
const nextAfter = (schedule: Schedule, time: number, now: number): number | undefined =>
  nextRun(timetableOf(schedule), Math.max(time, now));

/**
 * Makes a due moment, with its scheduled time as nominal time unless that is too long ago. Returns the wait (ms) until
 * the moment can be made; 0 for a moment that was made, or can never be made.
 */
const makeDueMoment = async (
  deps: AddMomentDeps,
  { property, timeline, time }: DueMoment,
): Promise<number> => {
  const requestKey = `due-${timeline}-${time}`;
  const requestIdentity = { property, requestKey, again: true, now: deps.clock() };
  const request = { property, timeline, requestIdentity };
  const isLate = deps.clock() - time > lateSeconds * 1000;
  const inTime = isLate ? undefined : await addMoment(deps, { ...request, at: time });
  const made = inTime && !isTooEarly(inTime) ? inTime : await addMoment(deps, request);
  return made.ok || made.error === 'not_found' ? 0 : made.error.wait;
};

const isTooEarly = (made: Awaited<ReturnType<typeof addMoment>>): boolean =>
  !made.ok && made.error !== 'not_found';
