import { cronLineOf, type CronLine, type Schedule, type CronFieldName } from './schedule.ts';
import { canonicalZone, skippedTimes, type SkippedTime, UTC } from '../runtime/time-zone.ts';
import { dayRule, isFull, nextRun, numbersOf, timetableOf } from './timetable.ts';

/** An expression of EventBridge Scheduler, and the time zone in which it counts. */
export interface AwsExpression {
  readonly expression: string;
  readonly timezone: string;
  /**
   * Whether the expression triggers at the first minute after a time that the clocks of the zone skip once a year. On all
   * other days it triggers in vain: `hasRunAt` tells.
   */
  readonly catchesUp?: true;
}

/**
 * Expressions for EventBridge Scheduler: `at(…)` in UTC for a schedule that runs once after `now`, otherwise `cron(…)`
 * in the time zone of the schedule. EventBridge Scheduler skips a time that clocks skip (user guide, "Daylight savings
 * time"), so a schedule with such a time has an expression more, which catches up. AWS demands a `?` in one of the two
 * day fields. So when both are restricted and either may match, there are two expressions; a day on which both match
 * triggers twice, with the same scheduled time.
 */
export const awsExpressions = (schedule: Schedule, now: number): readonly AwsExpression[] => {
  if (schedule.once === true) return [{ expression: atExpression(schedule, now), timezone: UTC }];
  const timezone = canonicalZone(schedule.timezone ?? UTC);
  const line = cronLineOf(schedule);
  const late = skippedTimes(timezone, now).flatMap((skipped) => lateLine(line, skipped) ?? []);
  return [
    ...cronExpressions(line).map((expression) => ({ expression, timezone })),
    ...late
      .flatMap(cronExpressions)
      .map((expression) => ({ expression, timezone, catchesUp: true }) as const),
  ];
};

/** A line for the first minute after a skipped time, if the line has a time in it, and does not run in that minute anyway. */
const lateLine = (line: CronLine, { start, end }: SkippedTime): CronLine | undefined => {
  const { minutes, catchesUp } = timetableOf(line);
  const isOvernight = end < start;
  const isSkipped = (minute: number): boolean =>
    isOvernight ? minute >= start || minute < end : minute >= start && minute < end;
  if (!catchesUp || !minutes.some(isSkipped) || (minutes.includes(end) && !isOvernight)) return undefined;
  const hour = String(Math.floor(end / 60));
  const days = isOvernight ? { day_of_month: '*', day_of_week: '*', month: '*' } : {};
  return { ...line, minute: String(end % 60), hour, ...days };
};

const cronExpressions = (line: CronLine): readonly string[] => {
  const byDate = awsCron(line, { day_of_month: field('day_of_month', line.day_of_month), day_of_week: '?' });
  const byWeekday = awsCron(line, { day_of_month: '?', day_of_week: weekdays(line.day_of_week) });
  if (dayRule(line).either) return [byDate, byWeekday];
  return [isFull('day_of_week', numbersOf('day_of_week', line.day_of_week)) ? byDate : byWeekday];
};

const atExpression = (schedule: Schedule, now: number): string => {
  const time = nextRun(timetableOf(schedule), now);
  if (time === undefined) throw new Error('schedules: a schedule that never runs was not refused');
  return `at(${new Date(time).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)})`;
};

const awsCron = (
  { minute, hour, month }: CronLine,
  days: Readonly<Record<'day_of_month' | 'day_of_week', string>>,
): string =>
  `cron(${field('minute', minute)} ${field('hour', hour)} ${days.day_of_month} ${field('month', month)} ${days.day_of_week} *)`;

/** A field as a list of all its numbers, because AWS may read steps and ranges differently. */
const field = (name: CronFieldName, text: string): string => {
  const numbers = numbersOf(name, text);
  return isFull(name, numbers) ? '*' : numbers.join(',');
};

/** AWS counts the days of the week from 1, Sunday. */
const weekdays = (text: string): string => {
  const numbers = numbersOf('day_of_week', text);
  return isFull('day_of_week', numbers) ? '*' : numbers.map((day) => day + 1).join(',');
};
