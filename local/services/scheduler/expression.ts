import { Cron } from 'croner';
import { checkCronFields } from './cron-fields.ts';

/** Computes the next run after a moment; undefined when there is none. In milliseconds since the epoch. */
export type Timetable = (after: number) => number | undefined;

const UNITS: Readonly<Record<string, number>> = {
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
  day: 86_400_000,
  days: 86_400_000,
};

/**
 * Compiles `rate(…)`, `cron(…)` and `at(…)` in EventBridge's syntax. A rate counts from `created`. Throws for invalid
 * expressions.
 */
export const compileExpression = (expression: string, timezone: string, created: number): Timetable => {
  // A rate does not need the timezone, but AWS refuses an unknown timezone with every expression.
  Intl.DateTimeFormat('en', { timeZone: timezone });
  const [, kind, argument = ''] = /^(rate|cron|at)\((.+)\)$/.exec(expression) ?? [];
  if (kind === 'rate') return rate(argument, created);
  if (kind === 'cron') return cron(argument, timezone);
  if (kind === 'at') return once(argument, timezone);
  throw new Error(`the schedule expression ${expression} is not known`);
};

const rate = (argument: string, created: number): Timetable => {
  const [, value = '', unit = ''] = /^([1-9]\d*) (\w+)$/.exec(argument) ?? [];
  const period = Number(value) * (UNITS[unit] ?? NaN);
  if (!(period > 0)) throw new Error(`the rate ${argument} is not known`);
  return (after) => created + (Math.floor(Math.max(0, after - created) / period) + 1) * period;
};

/** EventBridge's six fields: minutes, hours, day of month, month, day of week (1 is Sunday), year. */
const cron = (argument: string, timezone: string): Timetable => {
  const fields = argument.trim().split(/\s+/);
  checkCronFields(fields);
  const [minute = '', hour = '', day = '', month = '', weekday = '', year = ''] = fields;
  // The last day of the week is Saturday.
  const dayOfWeek = weekday.toUpperCase() === 'L' ? 'SAT' : weekday;
  const job = new Cron(`0 ${minute} ${hour} ${day} ${month} ${dayOfWeek} ${year}`, {
    timezone,
    paused: true,
    mode: '7-part',
    alternativeWeekdays: true,
    sloppyRanges: true,
  });
  const clock = wallClock(timezone);
  const next = (after: number): number | undefined => job.nextRun(new Date(after))?.getTime();
  return (after) => {
    let due = next(after);
    while (due !== undefined && (isRepeated(clock, due) || !job.match(new Date(due)))) due = next(due);
    return due;
  };
};

/** Reads the clock of a timezone at a moment. */
const wallClock = (timezone: string): ((moment: number) => string) => {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (moment) => format.format(moment);
};

/** Steps by which clocks go back. */
const STEPS_BACK = [30, 60, 120].map((minutes) => minutes * 60_000);

/**
 * Whether the clock shows the time of a moment for the second time, after summer time has ended. A schedule runs at the
 * first one only, and not at all at a time that clocks skip (user guide, "Daylight savings time").
 */
const isRepeated = (clock: (moment: number) => string, moment: number): boolean =>
  STEPS_BACK.some((step) => clock(moment - step) === clock(moment));

/** `at(yyyy-mm-ddThh:mm:ss)` in the schedule's timezone. */
const once = (argument: string, timezone: string): Timetable => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(argument))
    throw new Error(`the time ${argument} is not known`);
  const job = new Cron(argument, { timezone, paused: true });
  return (after) => job.nextRun(new Date(after))?.getTime();
};
