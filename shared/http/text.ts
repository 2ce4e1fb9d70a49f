/** Text rules: tells clean text from unclean text and finds the faults of a body, whatever its schema. */
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
