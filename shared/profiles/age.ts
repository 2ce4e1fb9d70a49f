/** Age: whole years, the bands that make segments, and the days on which they change. */
import { DAY_MS } from '../runtime/clock.ts';
import { dayText } from '../runtime/utc-days.ts';
import type { ResolvedProfile } from './types.ts';

/** Lower bounds and names of the age bands, oldest first. */
const bands = [
  { from: 65, name: '65+' },
  { from: 55, name: '55-64' },
  { from: 45, name: '45-54' },
  { from: 35, name: '35-44' },
  { from: 25, name: '25-34' },
  { from: 18, name: '18-24' },
] as const;

/** The band of an age in whole years. */
export const ageBand = (age: number): string => bands.find(({ from }) => age >= from)?.name ?? 'under 18';

/** The age from which on somebody is no minor. */
export const ADULT = 18;

/** Whether somebody of an age is under 18, and so in the first band. */
export const isMinor = (age: number): boolean => age < ADULT;

/** Whole years from a birthday (`YYYY-MM-DD`) to the UTC day of `now`. A birthday on 29 February counts from 1 March. */
export const ageOn = (birthday: string, now: number): number => {
  const today = new Date(now);
  const years = today.getUTCFullYear() - Number(birthday.slice(0, 4));
  return monthAndDay(today) < birthday.slice(5) ? years - 1 : years;
};

/**
 * The age by which the rules decide on the UTC day of `now`: from the birthday, or else as it was stated. Null if neither is
 * known, and where the property does not use the age of a minor.
 */
export const currentAge = (
  { fields: { birthday }, age: stated, withoutSpecial }: ResolvedProfile,
  now: number,
): number | null => {
  const age = birthday === null ? stated : ageOn(birthday, now);
  return age !== null && withoutSpecial && isMinor(age) ? null : age;
};

/** `MM-DD` in UTC. Exports ask for the age of each person, and `toISOString` takes half a microsecond. */
const monthAndDay = (date: Date): string =>
  `${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`;

/** A month or a day with two digits. */
export const twoDigits = (number: number): string => (number < 10 ? `0${number}` : `${number}`);

/** The first UTC day (days since 1970-01-01) of an age: 1 March in a year without 29 February, as in `ageOn`. */
export const dayOfAge = (birthday: string, age: number): number => {
  const year = Number(birthday.slice(0, 4)) + age;
  // `Date.UTC` itself takes 29 February for 1 March where there is none.
  return Date.UTC(year, Number(birthday.slice(5, 7)) - 1, Number(birthday.slice(8, 10))) / DAY_MS;
};

/** The UTC day on which a person enters the next age band; null in the last band. */
export const bandChange = (birthday: string, now: number): string | null => {
  const age = ageOn(birthday, now);
  const next = bands.findLast(({ from }) => from > age);
  return next ? dayText(dayOfAge(birthday, next.from)) : null;
};
