import { readDate, readDayFirst, readMonthFirst } from './dates.ts';

/**
 * White space and the invisible characters that copying leaves at the ends of cells. The end is looked for at the first
 * character of a run only: otherwise a long run inside a cell would take the square of its length.
 */
const invisibleEnds =
  /^[\s\u200b-\u200d\u2060\ufeff]+|(?<![\s\u200b-\u200d\u2060\ufeff])[\s\u200b-\u200d\u2060\ufeff]+$/gu;
const invisible = /[\u200b-\u200d\u2060]/;
/** First letters of words: at the start, behind white space, a hyphen, or a prefix such as O'. */
const wordStart = /(?<=^|[\s-]|(?<!\p{L})\p{L}['’])\p{L}/gu;

/** `trim` knows all but the zero-width ones, which are rare. */
const strip = (text: string): string => {
  const trimmed = text.trim();
  return invisible.test(trimmed) ? trimmed.replace(invisibleEnds, '') : trimmed;
};

/** What a transformation makes of a cell's text (never empty); `undefined` when it cannot read it. */
type Transformation = (text: string) => string | undefined;

/** Signs of units. They stay as they are: lower-casing would make letters of them, of U+212A the `k` of another address. */
const unitSigns = /[\u2126\u212a\u212b]/;
const others = /[^\u2126\u212a\u212b]+/g;
const lower = (text: string): string =>
  unitSigns.test(text) ? text.replace(others, (run) => run.toLowerCase()) : text.toLowerCase();

const transformations = {
  strip,
  lower,
  upper: (text) => text.toUpperCase(),
  title: (text) => lower(text).replace(wordStart, (letter) => letter.toUpperCase()),
  digits: (text) => text.replace(/\D/g, ''),
  date: readDate,
  date_dmy: readDayFirst,
  date_mdy: readMonthFirst,
} as const satisfies Readonly<Record<string, Transformation>>;
export type TransformationName = keyof typeof transformations;

/** Whether there is a transformation of this name. */
export const isTransformation = (name: string): name is TransformationName =>
  Object.hasOwn(transformations, name);

/** Applies transformations in order; an empty text stays empty. `undefined` when one of them cannot read it. */
export const transform = (text: string, names: readonly TransformationName[]): string | undefined => {
  let current: string | undefined = text;
  for (const name of names) {
    if (current === undefined || current === '') return current;
    current = transformations[name](current);
  }
  return current;
};
