/** Words for the limits of `docs/limits.md`: numbers, sizes and times. */
import type { limits } from '../../shared/config/limits.ts';

/** All limits. */
export type Limits = typeof limits;

/** What is limited, the limit, and the code beyond it, or what happens instead. */
export type Row = readonly [what: string, limit: string, beyond?: string];

/** A number. */
export const n = (value: number): string => value.toLocaleString('en-US');
const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** A number of bytes in the largest decimal unit that shows it in two decimals. */
export const size = (bytes: number): string => {
  const unit = units.findLastIndex(
    (_, power) => bytes >= 1000 ** power && Number.isInteger((bytes * 100) / 1000 ** power),
  );
  return `${n(bytes / 1000 ** unit)} ${units[unit]}`;
};
const spans: readonly (readonly [number, string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** A number of seconds in words: in days from two days on, otherwise in the largest unit that shows it exactly. */
export const time = (seconds: number): string => {
  const [span, name] = spans.find(([each]) => seconds % each === 0 && (each < 86_400 || seconds > each)) ?? [
    1,
    '',
  ];
  const count = seconds / span;
  return `${n(count)} ${name}${count === 1 ? '' : 's'}`;
};
/** A length of a text. */
export const characters = (most: number): string => `${n(most)} characters`;
