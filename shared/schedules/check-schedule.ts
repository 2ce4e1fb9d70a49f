import { limits } from '../config/limits.ts';
import type { FaultCode } from '../http/fault-codes.ts';
import type { ProblemError } from '../http/problem.ts';
import { namesTime, type Schedule } from './schedule.ts';
import { nextRun, shortestGap, timetableOf } from './timetable.ts';

const { everyMinutes } = limits.schedules;

/**
 * The faults of a schedule whose single fields are valid: it must name a time, on a day that exists, and run at most
 * every 15 minutes unless it runs once. `now` in epoch milliseconds.
 */
export const scheduleFaults = (
  schedule: Schedule,
  now: number,
  pointer = '/schedule',
): readonly ProblemError[] => {
  const fault = (code: FaultCode, detail: string): readonly ProblemError[] => [{ pointer, code, detail }];
  if (!namesTime(schedule)) return fault('required', 'Must name a minute, hour, day or month.');
  const timetable = timetableOf(schedule);
  if (nextRun(timetable, now) === undefined)
    return fault('never_runs', 'Names a day that never comes, such as 31 February.');
  return schedule.once !== true && shortestGap(timetable) < everyMinutes
    ? fault('too_frequent', `Must not run more often than every ${everyMinutes} minutes.`)
    : [];
};
