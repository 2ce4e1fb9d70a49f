/** File origin: what a file as a whole says about the country of its people, for numbers without a country code. */
import { readCountry } from '../../mapping/read-countries.ts';
import { readMailbox } from '../../mapping/read-mailboxes.ts';
import { type Language, languages, nameKey } from './column-names.ts';
import type { FileOrigin } from './advice.ts';
import { isGender } from './gender-words.ts';
import { shareOf } from './judge-values.ts';
import { international, knownNames } from './known-names.ts';
import { columnAt } from './identity-facts.ts';
import type { PlacedColumn } from './place-columns.ts';
import { looksLikeYesOrNo } from './value-shapes.ts';
import { countsOf } from '../../../runtime/counts.ts';

/** Fewest names that no other language has before a header surely is of its language. */
const FEWEST_NAMES = 3;
/** The share of cells that must be countries before a column seems to hold them. */
const MOST_COUNTRIES = 0.9;
const HALF = 0.5;

/** Finds what a file says about the country of its people. */
export const fileOrigin = (columns: readonly PlacedColumn[], rows: number): FileOrigin => {
  const language = sureLanguage(columns.map(({ name }) => name));
  const domain = domainOf((columnAt(columns, 'email')?.values ?? []).map(readMailbox));
  const column = columnAt(columns, 'country')
    ? undefined
    : columns.find(
        ({ name, values, kind }) =>
          kind === 'kept' &&
          !otherCodes.test(nameKey(name)) &&
          values.length >= rows * HALF &&
          shareOf(values, isCountry) >= MOST_COUNTRIES,
      )?.name;
  return {
    ...(language !== undefined && { language }),
    ...(domain !== undefined && { domain }),
    ...(column !== undefined && { column }),
  };
};

/**
 * The language of a header of which most known names are words of that language alone. `Telefon` and `Adresse` are words
 * of many languages and prove none.
 */
const sureLanguage = (header: readonly string[]): Language | undefined => {
  const known = [...new Set(header.map(nameKey))].flatMap((key) => {
    const own = new Set(knownNames.get(key)?.map((meaning) => meaning.language));
    return own.size === 0 || international.has(key) ? [] : [own];
  });
  return languages.find((language) => {
    const alone = known.filter((own) => own.size === 1 && own.has(language)).length;
    return alone >= FEWEST_NAMES && alone > known.length * HALF;
  });
};

/** Domains of countries that are not their codes. */
const otherDomains: Readonly<Record<string, string>> = { uk: 'GB' };

/** The country whose domain most addresses have. */
const domainOf = (addresses: readonly string[]): string | undefined => {
  const found = addresses.flatMap(
    (address) => /@[^@\s]+\.([a-z]{2})[\s>;,]*$/iu.exec(address)?.[1]?.toLowerCase() ?? [],
  );
  const most = [...countsOf(found)].find(([, count]) => count > addresses.length * HALF)?.[0];
  return most === undefined ? undefined : (otherDomains[most] ?? most.toUpperCase());
};

/** Words in the names of columns whose short codes are of something else: `de` is a language, too. */
const otherCodes = /lang|sprach|langue|idioma|lingua|taal|locale|currency|wahrung/u;

/** Whether a text is a country. Letters alone are codes of many things. */
const isCountry = (value: string): boolean =>
  value.trim().length > 1 && !looksLikeYesOrNo(value) && !isGender(value) && readCountry(value) !== undefined;
