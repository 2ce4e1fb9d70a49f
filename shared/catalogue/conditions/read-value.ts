/** Read value: a value of a profile as each kind of comparison sees it. */
import { limits } from '../../config/limits.ts';
import { isCalendarDate, readUtcTime } from '../../http/text.ts';
import { utcDay } from '../../runtime/utc-days.ts';
import { visibleLine } from '../../runtime/visible-text.ts';

/** One value of a field, as it is stored. */
export type Scalar = string | number | boolean;

/**
 * A text for comparisons without case: as people see it, NFC, in the case of the root locale. Lower before upper, so that
 * ß, ẞ and ss are one text, and so are all three sigmas. The upper case of a letter does not depend on its neighbours, as
 * the lower case of a sigma does, so that the beginning of a text begins it folded, too.
 */
export const foldText = (text: string): string => foldLine(visibleLine(text));

const foldLine = (line: string): string =>
  ascii.test(line) ? line.toUpperCase() : line.toLowerCase().toUpperCase().normalize('NFC');

/** Most values are such, and take a fifth of the time. */
const ascii = /^[ -~]*$/;

const decimal = /^[+-]?\d+(?:\.\d+)?$/;

/** A value as each kind of comparison reads it: each when it is asked for, because most values are compared in one way. */
export class ReadValue {
  /** As it is stored; a boolean as its name. */
  readonly stored: string | number;
  /** The text as people see it. Empty when nobody sees anything: then the value counts as none. */
  readonly line: string;
  #text: string | undefined;
  #number: number | null | undefined;
  #day: number | null | undefined;

  constructor(value: Scalar) {
    this.stored = typeof value === 'number' ? value : String(value);
    this.line = visibleLine(String(value));
  }

  /** The folded text. */
  get text(): string {
    this.#text ??= foldLine(this.line);
    return this.#text;
  }

  /** Null for what is no plain decimal number. */
  get number(): number | null {
    if (this.#number === undefined) this.#number = numberIn(this.stored, this.line);
    return this.#number;
  }

  /** The UTC day (days since 1970-01-01). Null for what is no day of the calendar, such as a number. */
  get day(): number | null {
    if (this.#day === undefined) this.#day = typeof this.stored === 'number' ? null : dayIn(this.line);
    return this.#day;
  }
}

const numberIn = (stored: string | number, line: string): number | null => {
  if (typeof stored === 'number') return stored;
  if (!decimal.test(line)) return null;
  const number = Number(line);
  return isOne(line, number) ? number : null;
};

/** Whether no other text of a number reads as this one: such as a customer number of 17 digits. */
const isOne = (line: string, number: number): boolean =>
  line.includes('.') ? digitsIn(line) <= limits.conditions.fractionDigits : Number.isSafeInteger(number);

/** The digits of a decimal number from the first that is not 0. */
const digitsIn = (line: string): number => line.replace(/^[+-]?[0.]*/, '').replace('.', '').length;

/** The UTC day of a text: `YYYY-MM-DD`, or a time as tags take it. */
const dayIn = (line: string): number | null => {
  const day = isCalendarDate(line) ? line : readUtcTime(line)?.slice(0, 'YYYY-MM-DD'.length);
  return day === undefined ? null : utcDay(day);
};
