/** Verdicts: what an operator says about one value. */
import { utcDay } from '../../runtime/utc-days.ts';
import { allDays, anniversaryRanges, daysOfAges, type DayRange } from './day-ranges.ts';
import { foldText, type ReadValue } from './read-value.ts';
import type { Where } from './shape.ts';

/** What an operator says about the values of a field. */
export interface Verdict {
  /** Whether a value is of a kind that the operator can compare. */
  readonly reads: (value: ReadValue) => boolean;
  /** Whether a value makes a member, where that does not depend on the day. */
  readonly test?: (value: ReadValue) => boolean;
  /** The days on which a value makes a member: at least those that touch a span, with what adjoins them. */
  readonly rangesOf: (value: ReadValue, span: DayRange) => readonly DayRange[];
  /**
   * So many days after the day of a value its verdict may change; for a birthday so many days after each anniversary.
   * Absent where it does not depend on the day.
   */
  readonly changesAfter?: readonly number[];
}

type Test = NonNullable<Verdict['test']>;

const always: readonly DayRange[] = [allDays];
const never: readonly DayRange[] = [];

const tested = (reads: Verdict['reads'], test: Test): Verdict => ({
  reads,
  test,
  rangesOf: (value) => (test(value) ? always : never),
});

/** No value is invisible here: see `rule.ts`. */
const isRead = (): boolean => true;
const isNumber = ({ number }: ReadValue): boolean => number !== null;
const isDay = ({ day }: ReadValue): boolean => day !== null;

/** The verdict that a value is of a kind that an operator cannot compare. */
export const unreadBy = ({ reads }: Verdict): Verdict => tested(isRead, (value) => !reads(value));

/** The verdict of a condition. */
export const verdictOf = (where: Where): Verdict => {
  if (where.field === 'age') return ageVerdict(where);
  switch (where.op) {
    case 'exists':
      return tested(isRead, isRead);
    case 'starts_with': {
      const start = foldText(where.value);
      return tested(isRead, ({ text }) => text.startsWith(start));
    }
    case 'contains': {
      const part = foldText(where.value);
      return tested(isRead, ({ text }) => text.includes(part));
    }
    case 'eq':
      return oneOf([where.value]);
    case 'in':
      return oneOf(where.value);
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return compared(where);
    case 'between':
      return between(where.value);
    case 'before':
    case 'after':
    case 'on':
      return ofDay(where);
    case 'within_days':
      return windowed(0, where.value);
    case 'older_than_days':
      return windowed(where.value + 1, Number.POSITIVE_INFINITY);
    case 'within_next_days':
      return windowed(-where.value, 0);
    case 'anniversary_within_days':
      return anniversaries(where.value);
  }
};

const oneOf = (values: readonly (string | number)[]): Verdict => {
  const numbers = new Set(values.filter((value) => typeof value === 'number'));
  if (numbers.size > 0) return tested(isNumber, ({ number }) => number !== null && numbers.has(number));
  const texts = new Set(values.map((value) => foldText(String(value))));
  return tested(isRead, ({ text }) => texts.has(text));
};

const compared = ({ op, value }: Extract<Where, { readonly op: 'lt' | 'lte' | 'gt' | 'gte' }>): Verdict => {
  const holds = {
    lt: (number: number): boolean => number < value,
    lte: (number: number): boolean => number <= value,
    gt: (number: number): boolean => number > value,
    gte: (number: number): boolean => number >= value,
  }[op];
  return tested(isNumber, ({ number }) => number !== null && holds(number));
};

const between = ([low, high]: readonly [string | number, string | number]): Verdict => {
  if (typeof low === 'number' && typeof high === 'number')
    return tested(isNumber, ({ number }) => number !== null && low <= number && number <= high);
  const [first, last] = [utcDay(String(low)), utcDay(String(high))];
  return tested(isDay, ({ day }) => day !== null && first <= day && day <= last);
};

const ofDay = ({ op, value }: Extract<Where, { readonly op: 'before' | 'after' | 'on' }>): Verdict => {
  const named = utcDay(value);
  const holds = {
    before: (day: number): boolean => day < named,
    after: (day: number): boolean => day > named,
    on: (day: number): boolean => day === named,
  }[op];
  return tested(isDay, ({ day }) => day !== null && holds(day));
};

/** Members from `first` to `last` days behind the day of the value. */
const windowed = (first: number, last: number): Verdict => ({
  reads: isDay,
  rangesOf: ({ day }) => (day === null ? never : [{ from: day + first, to: day + last }]),
  changesAfter: [first, last + 1].filter(Number.isFinite),
});

const anniversaries = (before: number): Verdict => ({
  reads: isDay,
  rangesOf: ({ day, line }, span) => (day === null ? never : anniversaryRanges(line, before, span)),
  changesAfter: [-before, 1],
});

/** The verdict about an age: the value is the birthday, whose age grows, or else the age that was stated. */
const ageVerdict = (where: Where): Verdict => {
  if (where.op === 'exists') return tested(isRead, isRead);
  const ages = agesOf(where);
  return {
    reads: isRead,
    rangesOf: ({ day, line, number }) => {
      if (day !== null) return ages.map((range) => daysOfAges(line, range));
      return ages.some(([low, high]) => number !== null && low <= number && number <= high) ? always : never;
    },
    changesAfter: [0],
  };
};

type Ages = readonly [low: number, high: number];

const YOUNGEST = Number.NEGATIVE_INFINITY;
const OLDEST = Number.POSITIVE_INFINITY;

/** The whole years for which a comparison holds. */
const agesOf = (where: Where): readonly Ages[] => {
  if (where.op === 'eq' || where.op === 'in') return wholeYears([where.value].flat());
  if (where.op === 'between')
    return [[Math.ceil(Number(where.value[0])), Math.floor(Number(where.value[1]))]];
  if (where.op === 'lt') return [[YOUNGEST, Math.ceil(where.value) - 1]];
  if (where.op === 'lte') return [[YOUNGEST, Math.floor(where.value)]];
  if (where.op === 'gt') return [[Math.floor(where.value) + 1, OLDEST]];
  if (where.op === 'gte') return [[Math.ceil(where.value), OLDEST]];
  throw new Error(`conditions: age has no ${where.op}`);
};

const wholeYears = (values: readonly (string | number)[]): readonly Ages[] =>
  values.flatMap((value): readonly Ages[] =>
    typeof value === 'number' && Number.isInteger(value) ? [[value, value]] : [],
  );
