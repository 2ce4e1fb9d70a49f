/** Timetable: computes the run times of a schedule and the shortest gap between them, and judges the schedule by both. */
import { limits } from '../config/limits.ts';
import type { FaultCode } from '../http/fault-codes.ts';
import type { ProblemError } from '../http/problem.ts';
import { DAY_MS, MINUTE_MS } from '../runtime/clock.ts';
import {
  cronFields,
  parseCronField,
  cronLineOf,
  namesTime,
  type CronFieldName,
  type CronLine,
  type Schedule,
} from './schedule.ts';
import { instantOf, localTime, UTC } from '../runtime/time-zone.ts';

/** When a schedule runs, in local times of its time zone. */
export interface Timetable {
  /** The time zone. */
  readonly zone: string;
  /** Minutes of a day, ascending. */
  readonly minutes: readonly number[];
  /** Whether a run at a time that clocks skip is made up for. A schedule that runs in every hour goes on in the next one. */
  readonly catchesUp: boolean;
  /** Whether the schedule runs on the day that begins at this local time. */
  readonly isDay: (day: number) => boolean;
}

/** The longest gap between two matching days: 29 February around a century that is no leap year. */
const LONGEST_GAP_DAYS = 8 * 366;

/** After 28 years the calendar repeats, with its weekdays and leap years; this holds from `CALENDAR_START` until 2100. */
const CALENDAR_DAYS = 28 * 366;
const CALENDAR_START = Date.parse('2000-01-01T00:00:00Z');

/** Compiles a schedule whose fields are valid. */
export const timetableOf = (schedule: Schedule): Timetable => {
  const line = cronLineOf(schedule);
  const of = (name: CronFieldName): readonly number[] => numbersOf(name, line[name]);
  const minutes = of('hour').flatMap((hour) => of('minute').map((minute) => 60 * hour + minute));
  const months = new Set(of('month'));
  const days = new Set(of('day_of_month'));
  const weekdays = new Set(of('day_of_week'));
  const { either } = dayRule(line);
  return {
    zone: schedule.timezone ?? UTC,
    minutes,
    catchesUp: !isFull('hour', of('hour')),
    isDay: (day) => {
      const date = new Date(day);
      if (!months.has(date.getUTCMonth() + 1)) return false;
      const [byDate, byWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
      return either ? byDate || byWeekday : byDate && byWeekday;
    },
  };
};

/** Combines the two day fields: when both are restricted, a match of either is enough. */
export const dayRule = ({ day_of_month, day_of_week }: CronLine): { readonly either: boolean } => ({
  either: isRestricted(day_of_month) && isRestricted(day_of_week),
});

/** As in cron, a field with a `*` in its list restricts nothing, but a field that lists all its numbers does. */
const isRestricted = (text: string): boolean => !text.split(',').some((part) => /^\*(\/0?1)?$/.test(part));

/** The numbers of a checked field. */
export const numbersOf = (name: CronFieldName, text: string): readonly number[] => {
  const numbers = parseCronField(name, text);
  if (numbers === undefined) throw new Error(`schedules: ${name} was not checked`);
  return numbers;
};

/** Whether a field allows all its numbers. */
export const isFull = (name: CronFieldName, numbers: readonly number[]): boolean => {
  const { least, most } = cronFields[name];
  return numbers.length === (name === 'day_of_week' ? 7 : most - least + 1);
};

/**
 * The first run after `after` (epoch milliseconds); `undefined` when no day ever matches. A time that clocks skip when
 * summer time begins has its run at the first minute after the skipped time, unless the schedule runs in every hour. A
 * time that clocks show twice when it ends has one run, at its first instant.
 */
export const nextRun = (
  { zone, minutes, catchesUp, isDay }: Timetable,
  after: number,
): number | undefined => {
  const today = Math.floor(localTime(zone, after) / DAY_MS) * DAY_MS;
  for (let day = today; day <= today + LONGEST_GAP_DAYS * DAY_MS; day += DAY_MS) {
    if (!isDay(day)) continue;
    for (const minute of minutes) {
      const run = instantOf(zone, day + minute * MINUTE_MS);
      if (run > after && (catchesUp || localTime(zone, run) === day + minute * MINUTE_MS)) return run;
    }
  }
  return undefined;
};

/** Whether a schedule has a run at a time (epoch milliseconds). */
export const hasRunAt = (timetable: Timetable, time: number): boolean =>
  nextRun(timetable, time - 1) === time;

/**
 * The shortest time between two runs, in minutes of the local clock; infinite for a schedule with one run a day and
 * never on consecutive days.
 */
export const shortestGap = ({ minutes, isDay }: Timetable): number => {
  const within = minutes.slice(1).map((minute, index) => minute - (minutes[index] ?? 0));
  const overnight = 24 * 60 + (minutes[0] ?? 0) - (minutes.at(-1) ?? 0);
  return Math.min(...within, daysInARow(isDay) ? overnight : Number.POSITIVE_INFINITY);
};

const daysInARow = (isDay: Timetable['isDay']): boolean => {
  for (let index = 1; index < CALENDAR_DAYS; index += 1) {
    const day = CALENDAR_START + index * DAY_MS;
    if (isDay(day) && isDay(day - DAY_MS)) return true;
  }
  return false;
};

/**
 * The faults of a schedule whose single fields are valid: it must name a time, on a day that exists, and run at most
 * every `everyMinutes` unless it runs once. `now` in epoch milliseconds.
 */
export const scheduleFaults = (
  schedule: Schedule,
  now: number,
  everyMinutes: number = limits.schedules.everyMinutes,
): readonly ProblemError[] => {
  const fault = (code: FaultCode, detail: string): readonly ProblemError[] => [
    { pointer: '/schedule', code, detail },
  ];
  if (!namesTime(schedule)) return fault('required', 'Must name a minute, hour, day or month.');
  const timetable = timetableOf(schedule);
  if (nextRun(timetable, now) === undefined)
    return fault('never_runs', 'Names a day that never comes, such as 31 February.');
  return schedule.once !== true && shortestGap(timetable) < everyMinutes
    ? fault('too_frequent', `Must not run more often than every ${everyMinutes} minutes.`)
    : [];
};
