/** Time words: writes times for people, as the clocks of a time zone show them. */
import { localTime, type LocalTime } from './time-zone.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `09:00` */
export const clockOf = (local: LocalTime): string => new Date(local).toISOString().slice(11, 16);

/** `3 Sep` */
export const dayOf = (local: LocalTime): string => {
  const date = new Date(local);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ''}`;
};

/** `3 Sep 2026, 09:00` */
export const dateAndTime = (local: LocalTime): string =>
  `${dayOf(local)} ${new Date(local).getUTCFullYear()}, ${clockOf(local)}`;

/** An instant (epoch milliseconds) in a zone: `3 Sep 2026, 09:00`. */
export const fullTime = (zone: string, instant: number): string => dateAndTime(localTime(zone, instant));
