/** Numbers: reads the spellings of decimal numbers in files, for the transformations `number_de` and `number_en`. */
import type { Transformed } from './cell-fault.ts';

/** Separators of thousands in every spelling: space, no-break, thin and narrow no-break space, and apostrophes. */
const groups = " \u00a0\u2009\u202f'’";

/**
 * A number with a decimal separator and, in groups of three digits, one separator of thousands. A group before a
 * separator never begins with 0, so `0.500` is no number of thousands.
 */
const pattern = (decimal: string, thousands: string): RegExp =>
  new RegExp(
    `^([+\\-\u2212]?)(\\d+|[1-9]\\d{0,2}([${thousands}${groups}])\\d{3}(?:\\3\\d{3})*|)(?:${decimal}(\\d+))?$`,
    'u',
  );
const german = pattern(',', '.');
const english = pattern('\\.', ',');

const read = (text: string, numbers: RegExp, example: string): Transformed => {
  const [, sign = '', whole = '', , fraction = ''] = numbers.exec(text.trim()) ?? [];
  if (whole === '' && fraction === '')
    return { code: 'not_a_number', predicate: `is not a number like ${example}` };
  const digits = whole.replace(/\D/gu, '').replace(/^0+(?=\d)/u, '');
  const decimals = withoutZeros(fraction);
  const number = `${digits === '' ? '0' : digits}${decimals === '' ? '' : `.${decimals}`}`;
  return (sign === '-' || sign === '\u2212') && number !== '0' ? `-${number}` : number;
};

/** Removes the zeros at the end in linear time, which a regular expression does not. */
const withoutZeros = (fraction: string): string => {
  let end = fraction.length;
  while (end > 0 && fraction.charAt(end - 1) === '0') end -= 1;
  return fraction.slice(0, end);
};

/**
 * Reads a number with a decimal comma, like `1.234,50`, and returns it in its canonical form, like `1234.5`. Groups of
 * thousands must have three digits, so a text with another reading is a fault.
 */
export const readGermanNumber = (text: string): Transformed => read(text, german, '1.234,56');

/** Like `readGermanNumber`, for a number with a decimal point, like `1,234.50`. */
export const readEnglishNumber = (text: string): Transformed => read(text, english, '1,234.56');
