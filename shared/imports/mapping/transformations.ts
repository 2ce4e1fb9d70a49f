import { readDate, readDayFirst, readMonthFirst } from './read-dates.ts';

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
/** Zero-width characters, which `trim` leaves alone: space, non-joiner, joiner, word joiner. */
export const zeroWidth: ReadonlySet<string> = new Set(['\u200b', '\u200c', '\u200d', '\u2060']);
/** Whether a character is white space, or one of the invisible characters that copying leaves at the ends of cells. */
export const isInvisible = (character: string): boolean =>
  character.trim() === '' || zeroWidth.has(character);
/**
 * A text without the invisible characters at its ends. Looks at each character once at most, from both ends inwards, and at
 * none between the first and the last that stay.
 */

export const strip = (text: string, isBlank: (character: string) => boolean = isInvisible): string => {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charAt(start))) start += 1;
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};
