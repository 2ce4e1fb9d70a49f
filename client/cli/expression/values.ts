/** Reads and writes the values of conditions: numbers and days. */
import { failed, ok, type Result } from '../result.ts';

const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

/** One to three digits, a point, and three digits: a thousand and more for some readers, one and a bit for others. */
const ambiguous = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** A number with the separators of a country. */
const separated = /^[+-]?\d[\d.,'’ ]*$/;

/** A unit in front of a number or behind it. */
const unit = /^(?:€|\$|£|EUR|USD|GBP|CHF) ?(?=[\d+-])|(?<=\d) ?(?:€|\$|£|%|EUR|USD|GBP|CHF|Euro)$/i;

/** The digits of a number, without an exponent. */
const decimal = (value: number): string =>
  value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 100 });

/** A number as `readNumber` reads it. Three digits behind the point get a zero, so that nobody takes them for thousands. */
export const printNumber = (value: number): string => {
  const text = decimal(value);
  return ambiguous.test(text) ? `${text}0` : text;
};

/** Whether a text is a number, or would be one without separators or a unit. */
export const looksLikeNumber = (text: string): boolean => separated.test(text.replace(unit, ''));

/**
 * Reads a number such as `500` or `500.5`. Fails with a sentence about a number in another form, and with `undefined` about
 * other texts.
 */
export const readNumber = (text: string): Result<number, string | undefined> => {
  if (ambiguous.test(text))
    return failed(`"${text}" may mean ${text.replace('.', '')} or ${text}0; write one of them.`);
  if (plainNumber.test(text)) return ok(Number(text));
  const bare = text.replace(unit, '');
  if (!separated.test(bare)) return failed(undefined);
  return bare === text
    ? failed(`Write a number with a point, and without separators: 1234.50, not "${text}".`)
    : failed(`Write a number without a unit: 500, not "${text}".`);
};

/** Whether the digits of a text say no more than its number: `007` and numbers of twenty digits are rather names. */
export const isExact = (text: string): boolean => {
  const digits = text.replace(/^\+/, '');
  const bare = digits.includes('.') ? digits.replace(/\.?0{1,100}$/, '') : digits;
  return decimal(Number(text)) === bare;
};

const day = /^\d{4}-\d{2}-\d{2}$/;

/** A day in the form of some country. */
const dayLike = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/;

/** Whether a text is a day, in this form or another. */
export const looksLikeDay = (text: string): boolean => dayLike.test(text);

/** Reads a day such as `2026-01-31`. Fails with a sentence about other days, and with `undefined` about other texts. */
export const readDay = (text: string): Result<string, string | undefined> => {
  if (!day.test(text))
    return failed(dayLike.test(text) ? `Write a day as 2026-01-31, not "${text}".` : undefined);
  const time = Date.parse(`${text}T00:00:00Z`);
  // A day that does not exist is no time, or the time of another day.
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return exists ? ok(text) : failed(`There is no day ${text}.`);
};
