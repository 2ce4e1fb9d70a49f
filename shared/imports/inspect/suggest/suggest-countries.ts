/**
 * Suggest countries: the transformation `country`, with which one country is one segment, and postal codes from which a
 * program may have taken the 0 in front.
 */
import { readCountry } from '../../mapping/read-countries.ts';
import { doubtsAbout } from '../doubt.ts';
import { type Advice, type ColumnValues, dropped, suggestStrip } from './advice.ts';

/** The share of values that must be countries. */
const MOST = 0.5;

/** The code of Namibia, which many programs write for "not available". */
const notAvailable = /^\s*NA\s*$/iu;

/** `country` for a column of countries, in whatever spellings. `NA` counts as empty unless most cells have it. */
export const suggestCountry = ({ name, values }: ColumnValues): Advice => {
  const unknown = values.filter((value) => readCountry(value) === undefined);
  const read = values.length - unknown.length;
  if (read < values.length * MOST) return suggestStrip(values);
  const codes = values.filter((value) => notAvailable.test(value));
  const blank =
    codes.length < values.length * MOST ? Object.fromEntries(codes.map((text) => [text, ''])) : {};
  const isBlank = Object.keys(blank).length > 0;
  return {
    options: {
      transformations: [...(isBlank ? [{ name: 'map' as const, values: blank }] : []), { name: 'country' }],
      on_bad_value: 'drop_cell',
    },
    why: [
      `${read} of ${values.length} cells are countries, by name or by code. All become codes such as DE, so that a country is one segment.`,
      dropped,
    ],
    doubts: [
      ...doubtsAbout(name, unknown, {
        saw: 'Texts that are not the name or the code of a country.',
        does: 'Drops these cells with a warning.',
      }),
      ...doubtsAbout(name, codes, {
        saw: '"NA" is the code of Namibia, and stands in many files for nothing.',
        does: isBlank ? 'Counts these cells as empty.' : 'Stores NA, for Namibia.',
      }),
    ],
  };
};

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
      doubts: doubtsAbout(name, values, { saw, does }),
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
  return { ...advice, doubts: doubtsAbout(name, short, { saw, does }) };
};
