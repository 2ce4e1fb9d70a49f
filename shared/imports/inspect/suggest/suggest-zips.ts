/** Suggest zips: postal codes from which a spreadsheet or a program may have taken the 0 in front. */
import { doubtAbout } from '../doubt.ts';
import { type Advice, type ColumnValues, suggestStrip } from './advice.ts';

/** Digits of the postal codes of most countries whose codes begin with a 0. */
const DIGITS = 5;

/** A code that a program has read as a number and written as a decimal number. */
const decimal = /^\d{3,9}\.0$/;

/**
 * `strip` where cells need it. Codes of four digits beside those of five are said, unless the rows are of several
 * countries, which have codes of different lengths.
 */
export const suggestZip = ({ name, values, rowCountries = [] }: ColumnValues): Advice => {
  if (values.length > 0 && values.every((value) => decimal.test(value))) {
    const saw = 'Postal codes that a program has made decimal. Zeros in front may be lost.';
    const does = 'Stores them without the decimals. Take the codes from their source once more.';
    return {
      options: { transformations: [{ name: 'replace', from: '.0', to: '' }] },
      why: [],
      doubts: [doubtAbout(name, values, { saw, does })],
    };
  }
  const advice = suggestStrip(values);
  const ofLength = (length: number): readonly string[] =>
    values.filter((value) => /^\d+$/.test(value.trim()) && value.trim().length === length);
  const short = ofLength(DIGITS - 1);
  const countries = new Set(rowCountries.map((country) => country.trim().toLowerCase()));
  if (short.length === 0 || ofLength(DIGITS).length === 0 || countries.size > 1) return advice;
  const saw = 'Postal codes of four digits beside those of five, as spreadsheets leave out a 0 in front.';
  const does = 'Stores them as they are. Take the codes from their source once more.';
  return { ...advice, doubts: [doubtAbout(name, short, { saw, does })] };
};
