/** UTC days as numbers: whole days since 1970-01-01, which compare and count. */
import { DAY_MS } from './clock.ts';

/** The UTC day of a time (epoch milliseconds). */
export const utcDayOf = (time: number): number => Math.floor(time / DAY_MS);

/** The day that `YYYY-MM-DD` names. Takes days that exist only. */
export const utcDay = (text: string): number => Date.parse(text) / DAY_MS;

/** A day as `YYYY-MM-DD`. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
