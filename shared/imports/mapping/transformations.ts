import { readDate, readDayFirst, readMonthFirst } from './dates.ts';
import { strip } from './strip.ts';

/** First letters of words: at the start, behind white space, a hyphen, or a prefix such as O'. */
const wordStart = /(?<=^|[\s-]|(?<!\p{L})\p{L}['’])\p{L}/gu;

/**
 * What a transformation makes of a cell's text (never empty); `undefined` when it cannot read it. Each takes time in
 * proportion to the text: it looks at no character more often than a fixed number of times.
 */
type Transformation = (text: string) => string | undefined;

/** Signs of units. They stay as they are: lower-casing would make letters of them, of U+212A the `k` of another address. */
const unitSigns = /[\u2126\u212a\u212b]/;
const others = /[^\u2126\u212a\u212b]+/g;
const lower = (text: string): string =>
  unitSigns.test(text) ? text.replace(others, (run) => run.toLowerCase()) : text.toLowerCase();

const transformations = {
  strip: (text) => strip(text),
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
