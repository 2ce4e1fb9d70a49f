/** People rule: which profiles a property has forgotten because nothing has renewed them. Plain functions of times. */
import { limits } from '../config/limits.ts';
import { DAY_MS } from '../runtime/clock.ts';

const RENEWED_MS = limits.profiles.renewedDays * DAY_MS;

/** The same time of day `months` calendar months earlier (UTC); the last day of the month where it has no such day. */
export const monthsBefore = (time: number, months: number): number => {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
};

/**
 * Profiles that were stored before this time have not been renewed for `months` months. A record that repeats what a profile
 * says may leave its time as it is for `renewedDays`, so these are added: no profile goes too early.
 */
export const storedBefore = (now: number, months: number): number => monthsBefore(now, months) - RENEWED_MS;
