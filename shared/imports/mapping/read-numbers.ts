/** Numbers: reads the spellings of decimal numbers in files, for the transformations `number_de` and `number_en`. */
import type { Transformed } from './cell-fault.ts';
import { amountOf } from './read-amounts.ts';

/** Separators of thousands in every spelling: space, no-break, thin and narrow no-break space, and apostrophes. */
const groups = " \u00a0\u2009\u202f'’";

/**
 * A number with a decimal separator and, in groups of three digits, one separator of thousands. A group before a
 * separator never begins with 0, so `0.500` is no number of thousands. `lakhs` are the groups of India, `1,00,000`.
 */
const pattern = (decimal: string, thousands: string, lakhs = ''): RegExp =>
  new RegExp(
    `^([+\\-\u2212]?)(\\d+|${lakhs}[1-9]\\d{0,2}([${thousands}${groups}])\\d{3}(?:\\3\\d{3})*|)(?:${decimal}(\\d+))?$`,
    'u',
  );
const german = pattern(',', '.');
const english = pattern('\\.', ',', '[1-9]\\d?(?:,\\d{2})+,\\d{3}|');

const read = (text: string, numbers: RegExp, example: string): Transformed => {
  const plain = numbers.exec(text.trim());
  if (plain) return numberOf(plain, isMinus(plain[1])) ?? fault(example);
  const amount = amountOf(text);
  const parts = amount && numbers.exec(amount.digits);
  return (parts && numberOf(parts, amount.isNegative)) ?? fault(example);
};

const fault = (example: string): Transformed => ({
  code: 'not_a_number',
  predicate: `is not a number like ${example}`,
});

const isMinus = (sign: string | undefined): boolean => sign === '-' || sign === '\u2212';

/** The canonical form of a number; `undefined` for a text without a digit. */
const numberOf = (parts: RegExpExecArray, isNegative: boolean): string | undefined => {
  const [, , whole = '', , fraction = ''] = parts;
  if (whole === '' && fraction === '') return undefined;
  const digits = whole.replace(/\D/gu, '').replace(/^0+(?=\d)/u, '');
  const decimals = withoutZeros(fraction);
  const number = `${digits === '' ? '0' : digits}${decimals === '' ? '' : `.${decimals}`}`;
  return isNegative && number !== '0' ? `-${number}` : number;
};

/** Removes the zeros at the end in linear time, which a regular expression does not. */
const withoutZeros = (fraction: string): string => {
  let end = fraction.length;
  while (end > 0 && fraction.charAt(end - 1) === '0') end -= 1;
  return fraction.slice(0, end);
};

/**
 * Reads a number with a decimal comma, like `1.234,50`, and returns it in its canonical form, like `1234.5`. Groups of
 * thousands must have three digits, so a text with another reading is a fault. A currency at either end is left out.
 */
export const readGermanNumber = (text: string): Transformed => read(text, german, '1.234,56');

/** Like `readGermanNumber`, for a number with a decimal point, like `1,234.50`. */
export const readEnglishNumber = (text: string): Transformed => read(text, english, '1,234.56');
