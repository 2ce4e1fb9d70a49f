/** Chart times: the labels of a chart's axis of time, in UTC. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/clock.ts';

/** A step between ticks. `next` is the first tick at or after a time. */
interface Step {
  /** The least time between two ticks. */
  readonly least: number;
  readonly next: (time: number) => number;
  /** The part of an ISO time that names a tick. */
  readonly label: readonly [from: number, to: number];
}

/** Ticks at whole multiples of a time since `start`. */
const fixed = (every: number, label: Step['label'], start = 0): Step => ({
  least: every,
  next: (time) => Math.ceil((time - start) / every) * every + start,
  label,
});

/** Ticks at the beginning of each so manieth month of a year. */
const months = (every: number, label: Step['label']): Step => ({
  least: every * 28 * DAY_MS,
  next: (time) => {
    const date = new Date(time);
    const month = Math.floor(date.getUTCMonth() / every) * every;
    const begun = Date.UTC(date.getUTCFullYear(), month);
    return begun === time ? begun : Date.UTC(date.getUTCFullYear(), month + every);
  },
  label,
});

const years = (every: number): Step => ({
  least: every * 365 * DAY_MS,
  next: (time) => {
    const year = Math.ceil((new Date(time - 1).getUTCFullYear() + 1) / every) * every;
    return Date.UTC(year, 0);
  },
  label: [0, 4],
});

const monthDayAndTime = [5, 16] as const;
const day = [0, 10] as const;
const month = [0, 7] as const;

/** Weeks begin on Mondays: 1970-01-05 was one. */
const MONDAY = 4 * DAY_MS;

const steps: readonly Step[] = [
  ...[1, 5, 15, 30].map((count) => fixed(count * MINUTE_MS, monthDayAndTime)),
  ...[1, 3, 6, 12].map((count) => fixed(count * HOUR_MS, monthDayAndTime)),
  fixed(DAY_MS, day),
  fixed(7 * DAY_MS, day, MONDAY),
  ...[1, 3, 6].map((count) => months(count, month)),
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

/** Times and their places: from the first moment of a chart to the last. */
interface TimeAxis {
  readonly first: number;
  readonly last: number;
  readonly x: (time: number) => number;
}

/** The labels of the first and the last moment, and between them of round times, as many as have room. */
export const timeLabels = (axis: TimeAxis): readonly TimeLabel[] => {
  const { first, last, x } = axis;
  if (first === last) return [{ text: fullTime(first), x: x(first), anchor: 'middle' }];
  const label = endLabel(axis);
  const [start, end] = [label(first), label(last)];
  const step = steps.find(({ least, label: [from, to] }) => x(first + least) - x(first) >= room(to - from));
  const between = step ? ticksOf(step, axis) : [];
  const low = x(first) + room(start.length);
  const high = x(last) - room(end.length);
  return [
    { text: start, x: x(first), anchor: 'start' },
    ...between
      .map((time) => ({ text: textOf(time, step?.label ?? day), x: x(time), anchor: 'middle' }) as const)
      .filter(({ text, x: place }) => place - wide(text) / 2 >= low && place + wide(text) / 2 <= high),
    { text: end, x: x(last), anchor: 'end' },
  ];
};

const wide = (text: string): number => text.length * CHARACTER;
const room = (characters: number): number => characters * CHARACTER + GAP;

const ticksOf = ({ next }: Step, { first, last }: TimeAxis): readonly number[] => {
  const ticks: number[] = [];
  for (let time = next(first); time <= last; time = next(time + 1)) ticks.push(time);
  return ticks;
};

const textOf = (time: number, [from, to]: Step['label']): string =>
  new Date(time).toISOString().slice(from, to).replace('T', ' ');

const fullTime = (time: number): string => `${textOf(time, [0, 16])} UTC`;

/** How the ends are written: in full, or as short as a narrow chart needs. */
const endLabel = ({ first, last, x }: TimeAxis): ((time: number) => string) => {
  if (x(last) - x(first) >= 2 * room(fullTime(first).length)) return fullTime;
  return (time) => textOf(time, last - first < 2 * DAY_MS ? monthDayAndTime : day);
};
