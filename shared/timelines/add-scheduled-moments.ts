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

/** Writes down when a timeline's next moment is to be made, if one is to come after a time (epoch ms). */
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
 * Makes the moments whose time has come. May run twice at once and be cut off anywhere: what is due stays so until the one
 * after it is written down, and its time names the moment, so that it is made once. Answers how many were done. When one
 * fails, the others are made all the same, and the first failure is thrown at the end; the next call tries it again.
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
  await mapLimited(due, scheduledAtOnce, async (one) => {
    if (!hasTime()) return;
    await failures.attempt(async () => {
      await addDueMoment(deps, one);
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
    // Tried again by the next call, as long as the moment after it would not come too early for that.
    if (wait > 0 && (next === undefined || clock() + wait + deps.intervalMs <= next)) return;
    if (next !== undefined) await scheduleAt(table, due, next);
  } else if (clock() - time < abandonedSeconds * 1000) {
    // The timeline was deleted, or is still being made.
    return;
  }
  await table.write({ kind: 'delete', key: keys.due(due), expect: { w } });
};

/** What was missed meanwhile is not made up for. */
const nextAfter = (schedule: Schedule, time: number, now: number): number | undefined =>
  nextRun(timetableOf(schedule), Math.max(time, now));

/**
 * Makes a moment that is due, as of its time unless it is late for that; answers how long it cannot be made still (ms), 0 when
 * it has been, or never can be.
 */
const makeDueMoment = async (
  deps: AddMomentDeps,
  { property, timeline, time }: DueMoment,
): Promise<number> => {
  const requestKey = { property, name: `due-${timeline}-${time}`, again: true, now: deps.clock() };
  const request = { property, timeline, requestKey };
  const isLate = deps.clock() - time > lateSeconds * 1000;
  const inTime = isLate ? undefined : await addMoment(deps, { ...request, at: time });
  const made = inTime && !isTooEarly(inTime) ? inTime : await addMoment(deps, request);
  return made.ok || made.error === 'not_found' ? 0 : made.error.wait;
};

const isTooEarly = (made: Awaited<ReturnType<typeof addMoment>>): boolean =>
  !made.ok && made.error !== 'not_found' && !made.error.isBusy;
