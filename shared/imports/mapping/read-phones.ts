/**
 * Phone numbers: reads the spellings of phone numbers in files, for the transformation `phone`. The module imports the
 * numbering plans, so only definitions that use the transformation load it. The plans are those without the types of
 * numbers (`min`): they are half the size, and find the same country code, prefix and length.
 */
import {
  type CountryCode,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/min';
import type { Transformed } from './cell-fault.ts';

const fault = (predicate: string): Transformed => ({ code: 'not_a_phone_number', predicate });

/** The number that the whole text is, if the numbering plan of its country has room for it. */
const numberOf = (text: string, country: CountryCode): PhoneNumber | undefined => {
  const number = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
  return number?.isValid() === true ? number : undefined;
};

/**
 * Reads a phone number as people in `country` write it, and returns it in the form E.164, like `+4930123456`. A number
 * with an extension is a fault, because E.164 has none. So is `49171…` for Germany: it may begin with a country code
 * whose `+` is missing, or with an area code whose `0` is missing.
 */
export const readPhone = (cell: string, country: CountryCode): Transformed => {
  const text = cell.trim();
  const number = numberOf(text, country);
  if (!number) {
    return fault(
      text.includes('+')
        ? 'is not a phone number'
        : `is not a phone number of ${country} and has no country code`,
    );
  }
  if (number.ext !== undefined) return fault('has an extension, which E.164 cannot express');
  const code = getCountryCallingCode(country);
  const digits = text.replace(/\D/gu, '');
  if (!text.includes('+') && digits.startsWith(code)) {
    const other = numberOf(`+${digits}`, country);
    if (other && other.number !== number.number)
      return fault(`could begin with the country code ${code}: write +${code} or the area code with its 0`);
  }
  return number.number;
};
