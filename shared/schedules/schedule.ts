/** Schedule: the shape of a schedule in the API and in storage, and its cron line. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { described } from '../http/described.ts';
import { rule } from '../http/rule.ts';
import { isTimeZone } from './time-zone.ts';
import { cronFields, parseCronField, type CronFieldName } from './cron-field.ts';

/** What a field may be, with its own range and examples in that range. */
const cronSentence = (name: CronFieldName): string => {
  const { least, most, names } = cronFields[name];
  const named = names.length === 0 ? '' : ` or ${names[0]} to ${names.at(-1)}`;
  return `Must be ${least} to ${most}${named}, as in a cron line: *, ${least}, ${least}-${most}, */2 or ${least},${least + 1}.`;
};

const field = (name: CronFieldName) =>
  v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(limits.schedules.cronFieldLength),
      rule(
        'not_a_cron_field',
        (text) => text === '' || parseCronField(name, text) !== undefined,
        cronSentence(name),
      ),
    ),
  );

/** A schedule in storage and in answers: the fields of a Unix cron line. */
export const scheduleShape = v.strictObject({
  minute: described(
    'Minutes of the hour, as in a cron line: `30`, `*/15`, `0,30`. Without it, `0` if a coarser field is given.',
    field('minute'),
  ),
  hour: described('Hours of the day: `3`, `8-18`, `*/6`.', field('hour')),
  day_of_month: described(
    'Days of the month: `1`, `1,15`. If both day fields are restricted, either match is enough.',
    field('day_of_month'),
  ),
  month: described('Months, as numbers or names: `6`, `jan-mar`.', field('month')),
  day_of_week: described(
    'Days of the week, as numbers or names: `mon`, `fri-sun`. Sunday is 0 or 7.',
    field('day_of_week'),
  ),
  timezone: described(
    'The time zone of the fields, a name of the IANA database such as `Europe/Berlin`. Without it, the fields are in UTC.',
    v.exactOptional(
      v.pipe(
        v.string(),
        v.maxLength(limits.schedules.timezoneLength),
        rule(
          'not_a_time_zone',
          (name) => name === '' || isTimeZone(name),
          'Must be a time zone of the IANA database, such as Europe/Berlin or UTC.',
        ),
      ),
    ),
  ),
  once: described('Whether to run only once, at the next matching time.', v.exactOptional(v.boolean())),
});
export type Schedule = v.InferOutput<typeof scheduleShape>;

/**
 * A schedule in a request: a field with an empty text counts as absent. `scheduleFaults` checks the rules over several
 * fields.
 */
export const scheduleSchema = v.pipe(
  scheduleShape,
  v.transform((sent): Schedule =>
    Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== '')),
  ),
);

/** The five fields of a cron line. Absent fields of a schedule have their defaults here. */
export type CronLine = Readonly<Record<CronFieldName, string>>;

/** Levels from the finest to the coarsest. Both day fields are on one level. */
const levels: readonly (readonly CronFieldName[])[] = [
  ['minute'],
  ['hour'],
  ['day_of_month', 'day_of_week'],
  ['month'],
];

/** Defaults of fields finer than the finest given field: the first number, and any day of the week. */
const first: CronLine = { minute: '0', hour: '0', day_of_month: '1', day_of_week: '*', month: '1' };

/** Whether a schedule names any time. */
export const namesTime = (schedule: Schedule): boolean => finestLevel(schedule) < levels.length;

/** Fills in absent fields: fields finer than the finest given field get their first number, all others `*`. */
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
