/** Text rules: checks of lengths, e-mail addresses and dates, for records and queries. */
import { limits } from '../config/limits.ts';

/** Whether a text has at most `most` characters (code points: an emoji counts once). */
export const hasAtMost = (text: string, most: number): boolean => {
  if (text.length <= most) return true;
  if (text.length > 2 * most) return false;
  return Array.from(text).length <= most;
};

/** Whether a text fits a field of a profile. */
export const fitsField = (text: string): boolean => hasAtMost(text, limits.profiles.stringLength);

const asciiEmail =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;
// Internationalised addresses (RFC 6531): letters and marks of every script.
const anyEmail =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}(?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])$/u;
const LOCAL_PART = 64;

/**
 * Whether a trimmed, lower-cased text has the shape of an e-mail address: a dot-atom, `@` and a domain of two
 * or more labels (RFC 5322 without comments, quoted local parts and address literals, which mailing services
 * refuse too).
 */
export const isEmail = (text: string): boolean =>
  hasAtMost(text, limits.profiles.emailLength) &&
  text.indexOf('@') <= LOCAL_PART &&
  (asciiEmail.test(text) || anyEmail.test(text));

const yesOrNoWords = new Map<string, 'Yes' | 'No'>([
  ['yes', 'Yes'],
  ['y', 'Yes'],
  ['true', 'Yes'],
  ['no', 'No'],
  ['n', 'No'],
  ['false', 'No'],
]);

/** Reads an English word for yes or no, in any case; undefined for any other text. */
export const readYesOrNo = (text: string): 'Yes' | 'No' | undefined => yesOrNoWords.get(text.toLowerCase());

const beyondAscii = /[\u0080-\u{10ffff}]/u;
const hasOwnCase = (letter: string): boolean => {
  const lower = letter.toLowerCase();
  return lower === letter || lower.toUpperCase() === letter;
};

/**
 * Whether lower-casing keeps different texts different except for case: each letter is the upper case of its
 * own lower case. The Kelvin sign (U+212A) is not: it becomes a `k` and would turn one address into another.
 */
export const hasPlainCase = (text: string): boolean =>
  !beyondAscii.test(text) || Array.from(text).every(hasOwnCase);

const date = /^(\d{4})-(\d\d)-(\d\d)$/;
const dateTime =
  /^(\d{4}-\d\d-\d\d)[ T]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:[.,]\d{1,9})?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;
const THIRTY_DAYS = new Set([4, 6, 9, 11]);

const daysOf = (year: number, month: number): number => {
  if (month !== 2) return THIRTY_DAYS.has(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
};

/** Whether a text is a day of the (proleptic) Gregorian calendar, written `YYYY-MM-DD`. */
export const isCalendarDate = (text: string): boolean => {
  const parts = date.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
};

/**
 * Reads a time: `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601 with `T` and `Z` or an offset. Fractions of a second are
 * dropped. Returns it in UTC as `YYYY-MM-DD HH:MM:SS`; undefined for any other text, and for years outside 1 to 9999.
 */
export const readUtcTime = (text: string): string | undefined => {
  const [, day = '', time = '', zone] = dateTime.exec(text) ?? [];
  if (!isCalendarDate(day)) return undefined;
  const isContractForm = text.length === `${day} ${time}`.length && text.charAt(day.length) === ' ';
  if (isContractForm) return text;
  // Without a zone, ISO 8601 means local time, and the service knows no place.
  if (zone === undefined || text.charAt(day.length) !== 'T') return undefined;
  const utc = new Date(`${day}T${time}${zone}`);
  const written = Number.isNaN(utc.getTime()) ? '' : utc.toISOString();
  return /^\d{4}-/.test(written) && !written.startsWith('0000')
    ? `${written.slice(0, 10)} ${written.slice(11, 19)}`
    : undefined;
};

/** A time (epoch milliseconds) as `YYYY-MM-DD HH:MM:SS`, in UTC. */
export const utcTimeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
