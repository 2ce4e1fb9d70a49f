/** Conditions: two hundred rules as people make them over the people of the bench's file, and who meets each. */
import type { SegmentBody } from '../../shared/segments/schemas.ts';
import { dayText, utcDay } from '../../shared/runtime/utc-days.ts';
import {
  bornOf,
  cities,
  cityOf,
  emailOf,
  firstNameOf,
  interestOf,
  interests,
  lastNameOf,
  type MoreColumn,
  sharedTags,
} from './people-file.ts';

/** A condition, and whether the person of a row meets it. About half of the people do. */
export interface KnownCondition {
  readonly name: string;
  readonly where: NonNullable<SegmentBody['where']>;
  readonly holds: (row: number) => boolean;
}

/** Numbers from 0 below an end. */
const upTo = (end: number): readonly number[] => [...Array.from({ length: end }).keys()];

const SPENT = 1_000;
const VISITED_DAYS = 730;

/** Steps between the values of neighbours: without common factors, every value comes as often. */
const [SPENT_STEP, VISITED_STEP] = [383, 211];

/** What the person of a row has spent. Each `round` of the file has other amounts. */
const spentOf = (row: number, round = 0): number => (row * SPENT_STEP + round * 500) % SPENT;

/** Days since the last visit of the person of a row. */
const daysSinceVisit = (row: number, round = 0): number => (row * VISITED_STEP + round * 365) % VISITED_DAYS;

/** The columns that a number and a day need. `today` is a UTC day; each `round` has other values. */
export const spendingColumns = (today: number, round = 0): readonly MoreColumn[] => [
  { name: 'Spent', target: 'extra_data.spent', valueOf: (row) => String(spentOf(row, round)) },
  {
    name: 'Last visit',
    target: 'extra_data.last_visit',
    valueOf: (row) => dayText(today - daysSinceVisit(row, round)),
  },
];

/** Halves of the cities: four of eight. */
const halvesOfCities = upTo(2 ** cities.length)
  .map((mask) => upTo(cities.length).filter((city) => (mask & (1 << city)) !== 0))
  .filter((chosen) => chosen.length === cities.length / 2);

const texts = (): readonly Omit<KnownCondition, 'name'>[] => [
  ...halvesOfCities.slice(0, 30).map((chosen): Omit<KnownCondition, 'name'> => ({
    where: { field: 'city', op: 'in', value: chosen.map((city) => cities[city] ?? '') },
    holds: (row) => chosen.includes(cityOf(row)),
  })),
  ...(
    [
      ['email', emailOf],
      ['first_name', firstNameOf],
      ['last_name', lastNameOf],
    ] as const
  ).flatMap(([field, textOf]) =>
    upTo(10).map((digit): Omit<KnownCondition, 'name'> => ({
      where: { field, op: 'contains', value: String(digit) },
      holds: (row) => textOf(row).includes(String(digit)),
    })),
  ),
];

/** The age of the person of a row, in years. */
const ageOf = (row: number, today: number): number => {
  const [born, now] = [bornOf(row), dayText(today)];
  return Number(now.slice(0, 4)) - Number(born.slice(0, 4)) - (now.slice(4) < born.slice(4) ? 1 : 0);
};

const numbers = (today: number): readonly Omit<KnownCondition, 'name'>[] => [
  ...upTo(25).map((step): Omit<KnownCondition, 'name'> => {
    const value = 380 + 10 * step;
    return { where: { field: 'extra_data.spent', op: 'gte', value }, holds: (row) => spentOf(row) >= value };
  }),
  ...upTo(15).map((step): Omit<KnownCondition, 'name'> => {
    const value = 430 + 10 * step;
    return { where: { field: 'extra_data.spent', op: 'lt', value }, holds: (row) => spentOf(row) < value };
  }),
  ...upTo(10).map((step): Omit<KnownCondition, 'name'> => {
    const value = 46 + step;
    return { where: { field: 'age', op: 'gte', value }, holds: (row) => ageOf(row, today) >= value };
  }),
];

const days = (today: number): readonly Omit<KnownCondition, 'name'>[] => [
  ...upTo(10).map((step): Omit<KnownCondition, 'name'> => {
    const value = `${1970 + step}-01-01`;
    return { where: { field: 'birthday', op: 'before', value }, holds: (row) => bornOf(row) < value };
  }),
  ...upTo(20).map((step): Omit<KnownCondition, 'name'> => {
    const ago = 265 + 10 * step;
    return {
      where: { field: 'extra_data.last_visit', op: 'after', value: dayText(today - ago) },
      holds: (row) => daysSinceVisit(row) < ago,
    };
  }),
];

/** Days until the birthday of the person of a row is celebrated. Nobody in the file was born in the last days of February. */
const daysToBirthday = (row: number, today: number): number => {
  const year = Number(dayText(today).slice(0, 4));
  const [current = NaN, next = NaN] = [year, year + 1].map((one) => utcDay(`${one}${bornOf(row).slice(4)}`));
  return (current >= today ? current : next) - today;
};

const windows = (today: number): readonly Omit<KnownCondition, 'name'>[] => [
  ...upTo(20).map((step): Omit<KnownCondition, 'name'> => {
    const value = 270 + 10 * step;
    return {
      where: { field: 'extra_data.last_visit', op: 'within_days', value },
      holds: (row) => daysSinceVisit(row) <= value,
    };
  }),
  ...upTo(15).map((step): Omit<KnownCondition, 'name'> => {
    const value = 275 + 10 * step;
    return {
      where: { field: 'extra_data.last_visit', op: 'older_than_days', value },
      holds: (row) => daysSinceVisit(row) > value,
    };
  }),
  ...upTo(5).map((step): Omit<KnownCondition, 'name'> => {
    const value = 170 + step;
    return {
      where: { field: 'birthday', op: 'anniversary_within_days', value },
      holds: (row) => daysToBirthday(row, today) <= value,
    };
  }),
];

const { half, tenth } = sharedTags;

const tags = (): readonly Omit<KnownCondition, 'name'>[] => [
  ...interests.map((interest, index): Omit<KnownCondition, 'name'> => ({
    where: { field: 'tag', op: 'in', value: ['half', interest] },
    holds: (row) => half(row) || interestOf(row) === index,
  })),
  ...interests.map((interest, index): Omit<KnownCondition, 'name'> => ({
    where: { field: 'tag', op: 'in', value: ['half', 'tenth', interest] },
    holds: (row) => half(row) || tenth(row) || interestOf(row) === index,
  })),
  // A tag of a file has the time of the file.
  ...upTo(8).map((step): Omit<KnownCondition, 'name'> => ({
    where: { field: { tag: 'half' }, op: 'within_days', value: 1 + step },
    holds: half,
  })),
];

/** As many conditions as a property may have, on a UTC day: 60 of texts, 50 of numbers, 30 of days, 40 windows, 20 of tags. */
export const conditionsOn = (today: number): readonly KnownCondition[] =>
  [...numbers(today), ...texts(), ...days(today), ...windows(today), ...tags()].map((one, index) => ({
    ...one,
    name: `Condition ${index + 1}`,
  }));
