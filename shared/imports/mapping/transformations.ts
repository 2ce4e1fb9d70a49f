/** Transformations: the functions that a field map can apply to the text of a cell. */
import { readDate, readDayFirst, readMonthFirst } from './read-dates.ts';

/** First letters of words: at the start, after white space, after a hyphen, or after a prefix such as O'. */
const wordStart = /(?<=^|[\s-]|(?<!\p{L})\p{L}['’])\p{L}/gu;

/**
 * Transforms the text of a cell, which is never empty; `undefined` when the text is invalid. The time is proportional
 * to the length of the text.
 */
type Transformation = (text: string) => string | undefined;

/**
 * Unit signs, which stay unchanged. Lower-casing turns U+212A into `k`, which could be the email address of another
 * person.
 */
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

/** Applies transformations in order. An empty text stays empty. `undefined` when a transformation cannot read the text. */
export const transform = (text: string, names: readonly TransformationName[]): string | undefined => {
  let current: string | undefined = text;
  for (const name of names) {
    if (current === undefined || current === '') return current;
    current = transformations[name](current);
  }
  return current;
};

/** Zero-width characters, which `trim` does not remove: space, non-joiner, joiner, word joiner. */
const zeroWidth: ReadonlySet<string> = new Set(['\u200b', '\u200c', '\u200d', '\u2060']);

/** Whether a character is white space, or an invisible character that copying leaves at the ends of cells. */
const isInvisible = (character: string): boolean => character.trim() === '' || zeroWidth.has(character);

/**
 * Removes the invisible characters at both ends of a text. Reads each character at most once, from the ends inwards,
 * and none between the first and the last visible character.
 */
export const strip = (text: string, isBlank: (character: string) => boolean = isInvisible): string => {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charAt(start))) start += 1;
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};
