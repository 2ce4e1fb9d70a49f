/** Number words: writes counts and sizes for people. */

/** A count with its noun: `1 person`, `48,200 people`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const units = ['KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1_000;

/** A number of bytes, rounded as file managers show it: `940 bytes`, `38 KB`, `1.2 GB`. */
export const bytesInWords = (bytes: number): string => {
  if (bytes < STEP) return countOf(bytes, 'byte');
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  const value = bytes / STEP ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[power - 1] ?? ''}`;
};
