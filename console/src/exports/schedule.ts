/** Schedules that begin at six in the morning in the zone of the reader. */

/** The days of the week as schedules have them, Monday first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** The zone of the reader. */
export const zone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The schedule of every day. */
export const everyDay = () => ({ minute: '0', hour: '6', timezone: zone() });

/** The schedule of one day of every week. */
export const everyWeek = (weekday: Weekday) => ({ ...everyDay(), day_of_week: weekday });
