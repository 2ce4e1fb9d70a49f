/**
 * Text rules: tells clean text from unclean text, finds the faults of a body, whatever its schema, and checks lengths,
 * e-mail addresses and dates.
 */
import * as v from 'valibot';
import type { ProblemError } from './problem.ts';
import { limits } from '../config/limits.ts';
import { isBlank } from '../runtime/visible-text.ts';
import { rule } from './rule.ts';

/** NUL, C0 and C1 controls other than TAB, LF and CR, and DEL. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const anyControl = /[\u0000-\u001f\u007f-\u009f]/;

/** The character in place of bytes that were no text. A sender of this character has already lost the original. */
export const REPLACEMENT = '\ufffd';

/** Whether a text is intact: no lone surrogate, and no character replaced by U+FFFD. */
const isWhole = (text: string): boolean => text.isWellFormed() && !text.includes(REPLACEMENT);

/** Whether a text may be stored: well-formed Unicode without U+FFFD, and no control but TAB, LF and CR. */
export const isCleanText = (text: string): boolean => isWhole(text) && !controls.test(text);

/** Whether a text may be an identifier: well-formed Unicode without U+FFFD, and free of every control. */
export const isCleanIdentifier = (text: string): boolean => isWhole(text) && !anyControl.test(text);

/** The detail of the fault of an unclean text, wherever it comes from. */
export const uncleanDetail = 'Holds a control character, a broken surrogate or U+FFFD.';

/** A pointer of RFC 6901 from keys; long keys are cut, because they are the client's text. */
export const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((key) => `/${String(key).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Most faults that are reported for one body. */
export const MAX_FAULTS = 100;

/**
 * Finds the texts and numbers that no JSON body may have, whatever its schema: strings and keys with controls, lone
 * surrogates or U+FFFD, and numbers beyond the range of a double. The use case checks the elements of the member
 * `apart` one by one.
 */
export const textFaults = (
  body: Readonly<Record<string, unknown>>,
  apart?: string,
): readonly ProblemError[] => {
  const faults: ProblemError[] = [];
  const visit = (value: unknown, path: readonly (string | number)[]): void => {
    if (faults.length >= MAX_FAULTS) return;
    const fault = faultOf(value);
    if (fault) faults.push({ pointer: pointerOf(path), ...fault });
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (!isCleanText(key)) faults.push({ pointer: pointerOf(path), ...unclean });
      visit(member, [...path, key]);
    }
  };
  for (const [key, member] of Object.entries(body)) {
    if (!isCleanText(key)) faults.push({ pointer: '', ...unclean });
    else if (key !== apart || !Array.isArray(member)) visit(member, [key]);
  }
  return faults;
};

const unclean = { code: 'bad_characters', detail: uncleanDetail } as const;

const faultOf = (value: unknown): Omit<ProblemError, 'pointer'> | undefined => {
  if (typeof value === 'string' && !isCleanText(value)) return unclean;
  if (typeof value === 'number' && !Number.isFinite(value))
    return { code: 'out_of_range', detail: 'Is beyond the numbers that can be kept.' };
  return undefined;
};

/** An id of the service in a body: a positive integer that a double represents exactly. */
export const idSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** A text in one line, as each name that a client gives is: lists, mails and file names show it. */
export const oneLine = rule(
  'bad_characters',
  isCleanIdentifier,
  'Must be one line of text, without control characters.',
);

/** Name of a custom segment, a collection or a timeline. */
export const nameSchema = v.pipe(
  v.string(),
  v.maxLength(limits.segments.nameLength),
  rule<string>('blank', (text) => !isBlank(text), 'Must not be blank.'),
  oneLine,
);

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
/** Most characters in front of the `@`. */
export const LOCAL_PART = 64;

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
