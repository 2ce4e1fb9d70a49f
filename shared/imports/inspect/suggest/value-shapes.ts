/** Value shapes: what the text of a cell looks like, whatever the name of its column. */
import { mailboxIn } from '../../mapping/read-mailboxes.ts';
import { readYesOrNo } from '../../../http/text.ts';
import { nameKey } from './column-names.ts';
import { no, yes } from './words.ts';

/** The first of several values, without full-width characters and without the apostrophe of spreadsheets. */
const plain = (value: string): string =>
  (value.split(' ::: ')[0] ?? '')
    .normalize('NFKC')
    .trim()
    .replace(/^'(?=[\d+])/, '');

/**
 * Whether a text is an e-mail address or begins with one, or is a mailbox: a name and an address. A text that is delimited
 * by `^` or by runs of spaces is none.
 */
export const looksLikeEmail = (value: string): boolean =>
  mailboxIn(value) !== undefined ||
  (/^[^\s@,;<>^~¦§\p{Cc}]+@[^\s@,;<>^~¦§\p{Cc}]+\.[^\s@,;<>.^~¦§\p{Cc}]{2,}(?:[\s,;|/]|$)/u.test(
    plain(value),
  ) &&
    plain(value).lastIndexOf('  ') <= value.lastIndexOf('@'));

const numbersIn = (text: string): readonly string[] => text.match(/\d+/g) ?? [];

const withMonth =
  /^(?:\D{0,12}\s)?\d{1,2}\D{1,5}\p{L}{3,12}\.?\D{1,5}\d{2,4}$|^\p{L}{3,12}\.?\s\d{1,2}\D{1,4}\d{4}$/u;
const dateOfNumbers = /^\d{1,4}([./\s-])\s?\d{1,2}\1\s?\d{1,4}\.?$/;
const dateInJapanese = /^(?:\p{L}{2})?\d{1,4}年\d{1,2}月\d{1,2}日?$/u;
const time = /(?:T|,?\s)\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:\s?[AP]M|\s?Z|\s?[+-]\d{2}(?::?\d{2})?)?$/i;

/** Whether a text is a day, with or without a time. */
export const looksLikeDate = (value: string): boolean => {
  const text = plain(value);
  if (text.length > 50) return false;
  const day = text.replace(time, '');
  return (
    dateOfNumbers.test(day) ||
    dateInJapanese.test(day) ||
    withMonth.test(day) ||
    /^(?:19|20)\d{2}(?:0\d|1[0-2])[0-3]\d$/.test(day)
  );
};

/** Whether a text may be a date, also one that no form reads, such as `4 May` or the days that a spreadsheet counts. */
export const mayBeDate = (value: string): boolean => /\d/.test(plain(value)) && !value.includes('@');

/** The year of a day with a year of four digits. */
export const yearOf = (value: string): number | undefined => {
  const year = numbersIn(plain(value)).find((digits) => digits.length === 4 || digits.length === 8);
  return year === undefined ? undefined : Number(year.slice(0, 4));
};

/** Whether a text may be a telephone number, or begins with one. */
export const looksLikePhone = (value: string): boolean => {
  const text = plain(value).replace(/^(?:tel|phone|mobil|fon)\w*\.?:?\s*/i, '');
  const digits = text.replace(/\D/g, '').length;
  return (
    digits >= 5 &&
    digits <= 40 &&
    digits * 3 >= text.length &&
    /^['(+\d\p{Cf}]/u.test(text) &&
    (text.startsWith('+') || !looksLikeDate(text))
  );
};

/** The shortest telephone number with its country code that is in use (E.164 sets no least length). */
const INTERNATIONAL_DIGITS = 8;

/**
 * Whether a text is a telephone number with its country code: with `+`, or with `00` and a separator, because `0012345678`
 * is a customer's number more often.
 */
export const looksInternational = (value: string): boolean =>
  /^(?:\+[1-9]|00[1-9]\d{0,2}[\s/().-])/.test(plain(value)) &&
  value.replace(/\D/g, '').length >= INTERNATIONAL_DIGITS &&
  looksLikePhone(value);

/** Whether a text is a word for yes or no. Numbers are none. */
export const looksLikeYesOrNo = (value: string): boolean => {
  if (readYesOrNo(value.trim()) !== undefined) return true;
  const key = nameKey(value);
  return !/^\d*$/.test(key) && (yes.has(key) || no.has(key));
};

/** Whether a text has letters and is neither an e-mail address nor a date. */
export const looksLikeText = (value: string): boolean =>
  /\p{L}/u.test(value) && !value.includes('@') && !looksLikeDate(value);

/** Whether a text may be a postal code. */
export const looksLikeZip = (value: string): boolean => {
  const text = plain(value);
  return (
    /\d/.test(text) &&
    text.length <= 40 &&
    !text.includes('@') &&
    (!looksLikeDate(text) || /^\d{8}$/.test(text))
  );
};

/** Whether a text is an age in years. */
export const looksLikeAge = (value: string): boolean => /^(?:\d{1,2}|1[0-4]\d|150)$/.test(plain(value));
