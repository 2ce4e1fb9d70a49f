/** Cron field: parses one field of a Unix cron line into numbers. */
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
