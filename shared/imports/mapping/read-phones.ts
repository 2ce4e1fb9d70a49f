/**
 * Phone numbers: reads the spellings of phone numbers in files, for the transformation `phone`. The module loads
 * the numbering plans, so it is itself imported only where a definition uses the transformation. A number with its country code is valid if
 * the plan has room for it. One without is a guess about its country, so the types of its numbers must fit, too.
 */
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';
import type { Transformed } from './cell-fault.ts';
import { digitsOf, numbersIn, phoneText } from './phone-text.ts';
import { readCountry } from './read-countries.ts';

// Bundles hold neither set of plans (240 KB): see `latePackages` in `lib/constructs/bundle.ts`.
const {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString: parseNational,
} = await import('libphonenumber-js/max');
const { parsePhoneNumberFromString: parseInternational } = await import('libphonenumber-js/min');

const fault = (predicate: string): Transformed => ({ code: 'not_a_phone_number', predicate });

/** The country of a number without a country code, or why there is none. */
export type Home = { readonly country: CountryCode } | { readonly missing: string };

const countries: ReadonlyMap<string, CountryCode> = new Map(getCountries().map((code) => [code, code]));

export const nowhere: Home = {
  missing: 'has no country code, and neither its row nor the transformation names a country',
};
const unknown: Home = { missing: 'has no country code, and its row names no country that the service knows' };

/** The home of the numbers of a row: the country that the row names, else that of the definition. */
export const homeOf = (rowCountry: string, country: string | undefined): Home => {
  if (/\p{L}/u.test(rowCountry)) {
    const own = countries.get(readCountry(rowCountry) ?? '');
    return own === undefined ? unknown : { country: own };
  }
  const named = countries.get(country ?? '');
  return named === undefined ? nowhere : { country: named };
};

/**
 * Reads a phone number as people write it, and returns it in the form E.164, like `+4930123456`. `home` tells the country
 * of a number without a country code. Of several numbers it reads the first. Whatever could be read in two ways is a fault.
 */
export const readPhone = (cell: string, home: () => Home): Transformed => {
  const numbers = numbersIn(phoneText(cell));
  if (typeof numbers === 'string') return fault(numbers);
  const [first = '', ...others] = numbers;
  const read = readNumber(first, home);
  return others.length > 0 && typeof read !== 'string' ? fault('could be several numbers') : read;
};

const readNumber = (text: string, home: () => Home): Transformed => {
  const digits = digitsOf(text);
  if (isFiller(digits)) return fault('is a row of digits that is nobody’s number');
  if (/^\(? ?\+/u.test(text)) return international(digits) ?? fault('is not a phone number');
  if (digits.startsWith('00')) {
    const number = international(digits.slice(2));
    if (number !== undefined) return number;
  }
  const at = home();
  if ('missing' in at) return fault(at.missing);
  if (hasSecond(text, digits, home)) return fault('could be several numbers');
  return national(text, digits, at.country);
};

/** The number with a country code that digits are. A `0` may stand between the code and the number. */
const international = (digits: string): string | undefined => {
  const number = parseInternational(`+${digits}`, { extract: false });
  if (number?.isValid() !== true) return undefined;
  const { countryCallingCode: code, nationalNumber: own } = number;
  const isWhole = digits === code + own || digits === `${code}0${own}` || digits === `${code}1${own}`;
  return isWhole ? fitting(number) : undefined;
};

/** Fewest digits of a number with its country code that leads to people. */
const FEWEST = 8;
const MOST = 15;

const fitting = ({
  number,
  nationalNumber,
}: Pick<PhoneNumber, 'number' | 'nationalNumber'>): string | undefined =>
  number.length > FEWEST && number.length <= MOST + 1 && !isFiller(nationalNumber) ? number : undefined;

/** So many equal digits at the end are no number. */
const EQUAL = 7;

/** Whether digits are what people type into a field that wants a number: all the same, or in the order of the keys. */
const isFiller = (digits: string): boolean => {
  const own = digits.replace(/^0+/u, '');
  if (own.length < 4) return true;
  return /^(\d)\1+$/.test(own.slice(-EQUAL)) || '1234567890'.startsWith(own) || '9876543210'.startsWith(own);
};

const national = (text: string, digits: string, country: CountryCode): Transformed => {
  const number = parseNational(text, { defaultCountry: country, extract: false });
  const e164 = number?.isValid() === true && number.ext === undefined ? fitting(number) : undefined;
  if (!number || e164 === undefined)
    return fault(`is not a phone number of ${country} and has no country code`);
  const { countryCallingCode: code, nationalNumber: own } = number;
  const homeCode = getCountryCallingCode(country);
  // From here on the digits are those of the cell, whatever the library made of them.
  if (code !== homeCode) return isAbroad(digits, code + own) ? e164 : fault('is not a phone number');
  if (digits.startsWith(homeCode)) {
    const other =
      digits === homeCode + own ? parseNational(`0${digits}`, country) : parseNational(`+${digits}`);
    if (other?.isValid() === true && other.number !== e164)
      return fault(`could begin with the country code ${code}: write +${code} or the area code with its 0`);
  }
  if (digits === own) {
    if (own.startsWith('0') && isNationalOf(own.slice(1), code, digits)) return fault('could be two numbers');
    return lacksPrefix(text, number) ? fault(noPrefix) : e164;
  }
  const isWhole = prefixes.has(digits.slice(0, -own.length)) && digits.endsWith(own);
  return isWhole || digits === homeCode + own || digits === digitsOf(number.formatNational())
    ? e164
    : fault(`is not a phone number of ${country} and has no country code`);
};

/** Whether digits are the national form of a number, too: in Gabon, `02000000` was a number before its `0` was a prefix. */
const isNationalOf = (own: string, code: string, digits: string): boolean => {
  const other = parseNational(`+${code}${own}`, { extract: false });
  return other?.isValid() === true && digitsOf(other.formatNational()) === digits;
};

const noPrefix = 'has neither a country code nor the 0 of an area code';

/** Prefixes of national numbers. */
const prefixes: ReadonlySet<string> = new Set(['0', '1', '8', '06']);

/** Whether digits are a prefix of calls abroad, such as `011` in America, and a number with its country code. */
const isAbroad = (digits: string, number: string): boolean =>
  digits.endsWith(number) && /^0\d{1,3}$/u.test(digits.slice(0, -number.length));

/** Fewest digits of a number that has lost its `0`. Fewer may be a number without its area code. */
const FEWEST_WITHOUT_PREFIX = 9;

/** As people in North America write numbers, who have no prefix. */
const american = /^\(?[2-9]\d{2}\)?[ .-]*[2-9]\d{2}[ .-]\d{4}$/;

/**
 * Whether a national number has no prefix although its plan has one. A spreadsheet takes the `0` away, and leaves digits
 * only. They are read if they are too many for a number without area code, and no number of another country.
 */
const lacksPrefix = (text: string, number: PhoneNumber): boolean => {
  const { nationalNumber: own, countryCallingCode: code } = number;
  if (code === '1' || digitsOf(number.formatNational()) === own) return false;
  if (own.length < FEWEST_WITHOUT_PREFIX || american.test(text)) return true;
  if (text !== own) return openPlans.has(code);
  const other = parseNational(`+${own}`, { extract: false });
  // Most texts of eleven digits that begin with 1 would be numbers of America.
  return other?.isValid() === true && other.countryCallingCode !== '1' && other.countryCallingCode !== '7';
};

/** Plans whose numbers have many lengths, so that a postcode or an area code of another file may stand in front. */
const openPlans: ReadonlySet<string> = new Set(['49', '43', '352', '358', '81', '82']);

/**
 * More digits than a number has, with a prefix for calls abroad and a `0` behind its country code. Without this bound, the
 * search for a second number would look for numbers within numbers, and each group of digits would double its work.
 */
const WRITTEN = 20;

/** Whether a text is a postcode and a number, or two numbers, with a space between. */
const hasSecond = (text: string, digits: string, home: () => Home): boolean => {
  if (digits.length < 12 || digits.length > 2 * WRITTEN) return false;
  for (let at = text.indexOf(' 0'); at !== -1; at = text.indexOf(' 0', at + 1)) {
    const head = text.slice(0, at).trim();
    const tail = text.slice(at + 1);
    const isNumber = (part: string): boolean => {
      const { length } = digitsOf(part);
      return length >= 6 && length <= WRITTEN && typeof readNumber(part, home) === 'string';
    };
    if (isNumber(tail) && (/^[1-9]\d{3,4}$/u.test(head) || isNumber(head))) return true;
  }
  return false;
};
