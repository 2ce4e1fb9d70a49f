import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { rule } from '../http/rule.ts';
import { parseCronField, type CronFieldName } from './cron-field.ts';

const field = (name: CronFieldName) =>
  v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(limits.schedules.cronFieldLength),
      rule(
        'not_a_cron_field',
        (text) => text === '' || parseCronField(name, text) !== undefined,
        'Must be a field of a cron line: *, numbers or names, ranges, steps, and lists of those.',
      ),
    ),
  );

/** A schedule as it is stored and shown: fields of a Unix cron line, in UTC. */
export const scheduleShape = v.strictObject({
  minute: field('minute'),
  hour: field('hour'),
  day_of_month: field('day_of_month'),
  month: field('month'),
  day_of_week: field('day_of_week'),
  /** At the next such time only. */
  once: v.exactOptional(v.boolean()),
});
export type Schedule = v.InferOutput<typeof scheduleShape>;

/**
 * A schedule as clients send it: a field that is an empty text is not supplied. What depends on several fields is checked by
 * `scheduleFaults`.
 */
export const scheduleSchema = v.pipe(
  scheduleShape,
  v.transform((sent): Schedule =>
    Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== '')),
  ),
);

/** The five fields of a schedule with what was left out filled in, as a cron line has them. */
export type CronLine = Readonly<Record<CronFieldName, string>>;

/** From the finest to the coarsest. Both fields of days are on one level. */
const levels: readonly (readonly CronFieldName[])[] = [
  ['minute'],
  ['hour'],
  ['day_of_month', 'day_of_week'],
  ['month'],
];

/** What stands for a field finer than the finest one given: its first number, and any day of the week. */
const first: CronLine = { minute: '0', hour: '0', day_of_month: '1', day_of_week: '*', month: '1' };

/** Whether a schedule says anything of when. */
export const namesTime = (schedule: Schedule): boolean => finestLevel(schedule) < levels.length;

/** Fills in what was left out: fields finer than the finest one given get their first number, all others `*`. */
export const cronLineOf = (schedule: Schedule): CronLine => {
  const finest = finestLevel(schedule);
  const filled = (name: CronFieldName): string => {
    const isFiner = levels.findIndex((names) => names.includes(name)) < finest;
    return schedule[name] ?? (isFiner ? first[name] : '*');
  };
  return {
    minute: filled('minute'),
    hour: filled('hour'),
    day_of_month: filled('day_of_month'),
    day_of_week: filled('day_of_week'),
    month: filled('month'),
  };
};

const finestLevel = (schedule: Schedule): number => {
  const level = levels.findIndex((names) => names.some((name) => schedule[name] !== undefined));
  return level < 0 ? levels.length : level;
};
