/** Chart times: the labels of a chart's axis of time, in the time zone of its reader. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/clock.ts';
import { instantOf, localTime, type LocalTime } from '../runtime/time-zone.ts';
import { clockOf, dateAndTime, dayOf, fullTime } from '../runtime/time-words.ts';

const yearOf = (local: LocalTime): string => new Date(local).getUTCFullYear().toString();

const dayAndTime = (local: LocalTime): string => `${dayOf(local)} ${clockOf(local)}`;
const dayAndYear = (local: LocalTime): string => `${dayOf(local)} ${yearOf(local)}`;
const monthAndYear = (local: LocalTime): string => dayAndYear(local).replace(/^\d+ /, '');

/** A step between ticks, in local time. `next` is the first tick at or after a time. */
interface Step {
  /** The least time between two ticks. */
  readonly least: number;
  readonly next: (time: LocalTime) => LocalTime;
  readonly name: (time: LocalTime) => string;
  /** The most characters of a name. */
  readonly characters: number;
}

type Label = Pick<Step, 'name' | 'characters'>;
const byTime: Label = { name: dayAndTime, characters: 12 };
const byDay: Label = { name: dayOf, characters: 6 };
const byMonth: Label = { name: monthAndYear, characters: 8 };

/** Ticks at whole multiples of a time since `start`. */
const fixed = (every: number, label: Label, start = 0): Step => ({
  least: every,
  next: (time) => Math.ceil((time - start) / every) * every + start,
  ...label,
});

/** Ticks at the beginning of each so manieth month of a year. */
const months = (every: number, label: Label): Step => ({
  least: every * 28 * DAY_MS,
  next: (time) => {
    const date = new Date(time);
    const month = Math.floor(date.getUTCMonth() / every) * every;
    const begun = Date.UTC(date.getUTCFullYear(), month);
    return begun === time ? begun : Date.UTC(date.getUTCFullYear(), month + every);
  },
  ...label,
});

const years = (every: number): Step => ({
  least: every * 365 * DAY_MS,
  next: (time) => {
    const year = Math.ceil((new Date(time - 1).getUTCFullYear() + 1) / every) * every;
    return Date.UTC(year, 0);
  },
  name: yearOf,
  characters: 4,
});

/** Weeks begin on Mondays: 1970-01-05 was one. */
const MONDAY = 4 * DAY_MS;

const steps: readonly Step[] = [
  ...[1, 5, 15, 30].map((count) => fixed(count * MINUTE_MS, byTime)),
  ...[1, 3, 6, 12].map((count) => fixed(count * HOUR_MS, byTime)),
  fixed(DAY_MS, byDay),
  fixed(7 * DAY_MS, byDay, MONDAY),
  ...[1, 3, 6].map((count) => months(count, byMonth)),
  ...[1, 2, 5, 10, 20, 50, 100].map(years),
];

/** Pixels of a character of 12 px in a wide sans-serif font (DejaVu Sans has 7.6 for a digit). */
const CHARACTER = 7.7;

/** Pixels between two labels. */
const GAP = 12;

/** A label below a chart: its text, its place, and how it lies there. */
export interface TimeLabel {
  readonly text: string;
  readonly x: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** Times and their places: from the first moment of a chart to the last, in a time zone. */
interface TimeAxis {
  readonly first: number;
  readonly last: number;
  readonly zone: string;
  readonly x: (time: number) => number;
}

/** The labels of the first and the last moment, and between them of round times, as many as have room. */
export const timeLabels = (axis: TimeAxis): readonly TimeLabel[] => {
  const { first, last, zone, x } = axis;
  if (first === last) return [{ text: fullTime(zone, first), x: x(first), anchor: 'middle' }];
  const label = endLabel(axis);
  const [start, end] = [first, last].map((time) => label(localTime(zone, time)));
  if (start === undefined || end === undefined) return [];
  const step = steps.find(({ least, characters }) => x(first + least) - x(first) >= room(characters));
  const labels: TimeLabel[] = [{ text: start, x: x(first), anchor: 'start' }];
  const high = x(last) - room(end.length);
  // Where clocks change, two ticks may be nearer to each other than the others.
  let free = x(first) + room(start.length);
  for (const { text, time } of step ? ticksOf(step, axis) : []) {
    const half = (text.length * CHARACTER) / 2;
    if (x(time) - half < free || x(time) + half > high) continue;
    labels.push({ text, x: x(time), anchor: 'middle' });
    free = x(time) + half + GAP;
  }
  return [...labels, { text: end, x: x(last), anchor: 'end' }];
};

const room = (characters: number): number => characters * CHARACTER + GAP;

/** The ticks between the ends, at round local times that the clocks of the zone show. */
const ticksOf = ({ next, name }: Step, { first, last, zone }: TimeAxis) => {
  const ticks: { readonly text: string; readonly time: number }[] = [];
  const end = localTime(zone, last);
  for (let local = next(localTime(zone, first)); local <= end; local = next(local + 1)) {
    const time = instantOf(zone, local);
    // Where clocks go forward, they skip times, of which there is then no label.
    if (localTime(zone, time) === local) ticks.push({ text: name(local), time });
  }
  return ticks;
};

/** How the ends are written: in full, or as short as a narrow chart needs. */
const endLabel = ({ first, last, x }: TimeAxis): ((local: LocalTime) => string) => {
  if (x(last) - x(first) >= 2 * room('30 Nov 2026, 09:00'.length)) return dateAndTime;
  return last - first < 2 * DAY_MS ? dayAndTime : dayAndYear;
};
