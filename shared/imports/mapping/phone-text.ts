/**
 * Phone texts: what the characters of a cell say before any numbering plan is asked. The library of phone numbers is
 * lenient: it takes letters for digits of a keypad, and digits of a date or of two numbers for one number.
 */
import { visibleText } from '../../runtime/visible-text.ts';

const plain = /^[ -~]*$/;

/**
 * The text with the digits and signs of ASCII: full-width digits, and dashes of any kind. A spreadsheet marks text with an
 * apostrophe in front, which is no part of the number.
 */
export const phoneText = (cell: string): string => {
  const seen = visibleText(cell);
  const text = seen.startsWith("'") ? seen.slice(1).trim() : seen;
  return plain.test(text) ? text : text.normalize('NFKC').replace(/[\p{Pd}\u2212]/gu, '-');
};

/** The digits of a text. */
export const digitsOf = (text: string): string => text.replace(/\D/gu, '');

/** Characters that a number may have. */
const ofNumber = /^[-+\d\s()./]+$/;
const separators = /[;,|&\n\r]|:::| (?:oder|or|und|and|ou|et|o|y|e|of|en|bzw\.?) /iu;
const extension = /\d[ \-.;/]{0,3}(?:e?xt|extension|x|dw|durchwahl|app|poste|int|#)[ .:]{0,2}\d/iu;
const exponent = /^\+?\d+(?:[.,]\d+)?e[+-]?\d+$/iu;
const decimal = /^\+?\d{6,}\.\d{1,2}$|^\+?[\d ()/-]{6,}\.00?$/;
const dates = [
  /^(\d{1,2})([./-])(\d{1,2})\2(?:\d{2}|\d{4})$/,
  /^(\d{1,2})( )(\d{1,2}) (?:19|20)\d\d$/,
  /^(?:19|20)\d\d([./-])(\d{1,2})\1(\d{1,2})$/,
];

/** Longest date. */
const DATE = 10;

/** Fewest digits of a second number. With fewer, it may be another end of the first. */
const FEWEST = 5;

/** The numbers in a text, or why it is none: the predicate of a sentence. */
export const numbersIn = (text: string): readonly string[] | string => {
  if (text.includes('.') && decimal.test(text))
    return 'is a decimal number, in which zeros and signs of a phone number are lost';
  if (text.length <= DATE && dates.some((form) => isDay(form.exec(text)))) return 'is a date';
  const isPlain = ofNumber.test(text);
  if (isPlain && !/[/\n\r]/.test(text)) return checked([text]);
  if (exponent.test(text)) return 'is a number with an exponent, of which digits may be lost';
  if (extension.test(text)) return 'has an extension, which E.164 cannot express';
  return checked(text.split(separators).flatMap(atSlashes));
};

const checked = (pieces: readonly string[]): readonly string[] | string => {
  const numbers = pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
  if (numbers.length === 0 || !numbers.every((number) => ofNumber.test(number)))
    return 'has characters that belong to no phone number';
  if (!numbers.every(isShaped)) return 'is not written like a phone number';
  if (numbers.some(hasOpenEnd)) return 'could be a range of numbers';
  const isSure = numbers.slice(1).every((number) => digitsOf(number).length >= FEWEST);
  return isSure ? numbers : 'could be several numbers';
};

/** Whether the groups of a date are a day and a month. */
const isDay = (found: RegExpExecArray | null): boolean => {
  const numbers = (found ?? [])
    .slice(1)
    .filter((group) => /^\d+$/.test(group))
    .map(Number);
  const [low = 0, high = 0] = numbers.toSorted((a, b) => a - b);
  return low > 0 && low <= 12 && high <= 31;
};

/** Most characters before the brackets around the area code, or around its `0`. */
const BEFORE_BRACKET = 8;

/** Whether a text begins and ends like a number, and has one `+` and one pair of brackets at most. */
const isShaped = (number: string): boolean => {
  if (!/^(?:\(? ?\+ ?)?[(\d]/.test(number) || !/[\d)]\.?$/.test(number)) return false;
  if (number.lastIndexOf('+') > 2) return false;
  const open = number.indexOf('(');
  const close = number.indexOf(')');
  if (open === -1) return close === -1;
  return (
    open < close &&
    open < BEFORE_BRACKET &&
    !number.includes('(', open + 1) &&
    !number.includes(')', close + 1)
  );
};

/** `901840-42` may mean the numbers from 901840 to 901842. `90184-0` is the number of a switchboard. */
const hasOpenEnd = (number: string): boolean => {
  const at = number.lastIndexOf('-');
  const [main, end] = [number.slice(0, at), number.slice(at + 1)];
  const isEnd = at !== -1 && /^\d{1,3}$/.test(end) && /\d{5}$/.test(main);
  return isEnd && Number(end) > Number(main.slice(-end.length));
};

/** Splits at slashes, but for the slash behind an area code. */
const atSlashes = (text: string): readonly string[] => {
  const [first = '', second, ...rest] = text.split('/').filter((part) => part.trim() !== '');
  if (second === undefined) return [first];
  return isAreaCode(first.trim()) && digitsOf(second).length >= 3
    ? [`${first.trim()} ${second.trim()}`, ...rest]
    : [first, second, ...rest];
};

/** Whether a text has as few digits as an area code, with or without a country code. */
const isAreaCode = (text: string): boolean => {
  const digits = digitsOf(text).length;
  if (/^\(? ?\+/.test(text)) return digits <= 7;
  if (/^\(?00/.test(text)) return digits <= 9;
  return digits <= (/^\(?0/.test(text) ? 6 : 5);
};
