/**
 * Special categories: what a property may not want to use of its people: the ethnicity, and the age of people under 18.
 * Pure rules over states and profiles.
 */
import { limits } from '../config/limits.ts';
import type { LwwRegister, State } from './profile-state.ts';
import type { ResolvedProfile } from './types.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { ADULT, ageOn, dayOfAge, isMinor } from './age.ts';

/** The index may be behind by so much, and lists somebody of 18 among the minors until it has followed. */
const BEHIND_MS = limits.birthdays.behindDays * DAY_MS;

/**
 * Whether a state has values of special categories, shown or not, by which the index may list the person at `now` (epoch
 * milliseconds). What a state has not got now it gets by a write only.
 */
export const hasSpecial = (state: State, now: number): boolean => {
  for (const register of state.values()) if (isSpecial(register, now - BEHIND_MS)) return true;
  return false;
};

const isSpecial = ({ area, name, value }: LwwRegister, at: number): boolean => {
  if (area !== 'value' || value === null) return false;
  if (name === 'birthday') return typeof value === 'string' && isMinor(ageOn(value, at));
  if (name === 'age') return typeof value === 'number' && isMinor(value);
  return name === 'ethnicity';
};

/** A profile as files of a property show it that does not use special categories. */
export const withoutSpecialValues = (profile: ResolvedProfile, now: number): ResolvedProfile => {
  const { fields, age } = profile;
  const isYoung = fields.birthday !== null && isMinor(ageOn(fields.birthday, now));
  const hidesAge = age !== null && (isYoung || isMinor(age));
  // Most profiles have nothing to hide, and a copy takes as long as all cells of a row.
  if (!isYoung && !hidesAge && fields.ethnicity === null) return profile;
  return {
    ...profile,
    age: hidesAge ? null : age,
    fields: { ...fields, ethnicity: null, birthday: isYoung ? null : fields.birthday },
  };
};

/**
 * The first UTC day (days since 1970-01-01) on which `withoutSpecialValues` shows a birthday, and the age that follows from
 * it: the day on which the person comes of age.
 */
export const birthdayShownFrom = (birthday: string): number => dayOfAge(birthday, ADULT);
