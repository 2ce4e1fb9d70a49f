/** Schedule: the shape of a schedule in the API and in storage, its cron line, and the numbers of each field. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { described } from '../http/described.ts';
import { rule } from '../http/rule.ts';
import { isTimeZone } from '../runtime/time-zone.ts';

/** One field of a schedule: the range of its numbers, and their names. */
interface FieldRange {
  readonly least: number;
  readonly most: number;
  /** Names from the least number on, in lower case. */
  readonly names: readonly string[];
}

/** The fields of a Unix cron line by their names in the API, the finest first. */
export const cronFields = {
  minute: { least: 0, most: 59, names: [] },
  hour: { least: 0, most: 23, names: [] },
  day_of_month: { least: 1, most: 31, names: [] },
  /** Sunday is both 0 and 7. */
  day_of_week: { least: 0, most: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
  month: {
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
} as const satisfies Readonly<Record<string, FieldRange>>;
export type CronFieldName = keyof typeof cronFields;

/** An element of a list: `*`, a value or a range, with an optional step. A step after a single value counts to the end. */
const form = /^(?:(\*)|(\w{1,3})(?:-(\w{1,3}))?)(?:\/(\d{1,2}))?$/;

/** Parses a field into its numbers, ascending and distinct; `undefined` when the text is not a cron field. */
export const parseCronField = (name: CronFieldName, text: string): readonly number[] | undefined => {
  const range = cronFields[name];
  const parts = text.split(',').map((part) => parsePart(range, part));
  const values = new Set<number>();
  for (const part of parts) {
    if (part === undefined) return undefined;
    for (const value of part) values.add(name === 'day_of_week' ? value % 7 : value);
  }
  return [...values].sort((a, b) => a - b);
};

const parsePart = (range: FieldRange, text: string): readonly number[] | undefined => {
  const [matched, star, first = '', last, stepText] = form.exec(text) ?? [];
  const step = Number(stepText ?? 1);
  if (matched === undefined || step === 0) return undefined;
  const from = star === undefined ? numberOf(range, first) : range.least;
  const to = endOf(range, { from, last, open: star !== undefined || stepText !== undefined });
  if (from === undefined || to === undefined || from > to) return undefined;
  // A step longer than its range would silently select the first number only.
  const isWhole = star !== undefined || last !== undefined;
  if (step > Math.max(1, to - (isWhole ? from : range.least))) return undefined;
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
};

interface PartEnd {
  readonly from: number | undefined;
  readonly last: string | undefined;
  /** Whether an element without a last value goes to the end. */
  readonly open: boolean;
}

const endOf = (range: FieldRange, { from, last, open }: PartEnd): number | undefined => {
  // Steps over a week end on Saturday: 7 is the Sunday that 0 has named already.
  const end = range.names.length > 0 && range.least === 0 ? range.most - 1 : range.most;
  if (last === undefined) return open ? Math.max(end, from ?? 0) : from;
  const value = numberOf(range, last);
  // In a range, `sun` as the last value is the end of the week.
  return value === 0 && range.names.length > 0 && !/^\d/.test(last) ? range.most : value;
};

/** A number in its range, or a name; `undefined` for anything else. */
const numberOf = ({ least, most, names }: FieldRange, text: string): number | undefined => {
  if (/^\d{1,2}$/.test(text)) {
    const value = Number(text);
    return value >= least && value <= most ? value : undefined;
  }
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? undefined : least + index;
};

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

/** The name of a time zone in a request. An empty text counts as absent. */
export const timezoneSchema = v.pipe(
  v.string(),
  v.maxLength(limits.schedules.timezoneLength),
  rule(
    'not_a_time_zone',
    (name) => name === '' || isTimeZone(name),
    'Must be a time zone of the IANA database, such as Europe/Berlin or UTC.',
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
    v.exactOptional(timezoneSchema),
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
