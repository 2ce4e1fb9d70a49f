/** Phone candidates: the country whose numbers some texts clearly are, judged from the texts alone. */
import type { CountryCode } from 'libphonenumber-js/max';
import { digitsOf } from '../../mapping/phone-text.ts';
import { homeOf, readPhone } from '../../mapping/read-phones.ts';
import type { FileOrigin } from './advice.ts';

/** A country for each calling code that many files have. Countries with one code, such as US and CA, read alike. */
const candidates = [
  'DE',
  'AT',
  'CH',
  'LI',
  'LU',
  'FR',
  'BE',
  'NL',
  'GB',
  'IE',
  'US',
  'ES',
  'PT',
  'IT',
  'SE',
  'NO',
  'DK',
  'FI',
  'PL',
  'CZ',
  'SK',
  'HU',
  'RO',
  'GR',
  'TR',
  'RU',
  'UA',
  'BG',
  'RS',
  'HR',
  'SI',
  'EE',
  'LV',
  'LT',
  'IS',
  'MT',
  'CY',
  'JP',
  'CN',
  'KR',
  'HK',
  'SG',
  'MY',
  'TH',
  'PH',
  'ID',
  'VN',
  'IN',
  'AU',
  'NZ',
  'ZA',
  'NG',
  'KE',
  'EG',
  'IL',
  'AE',
  'SA',
  'MX',
  'BR',
  'AR',
  'CL',
  'CO',
  'PE',
] as const satisfies readonly CountryCode[];

/** Countries in which a language of headers is at home. English headers are used everywhere. */
const homes: Readonly<Record<string, readonly CountryCode[]>> = {
  de: ['DE', 'AT', 'CH', 'LI', 'LU'],
  fr: ['FR', 'BE', 'CH', 'LU'],
  es: ['ES', 'MX', 'AR', 'CL', 'CO', 'PE'],
  it: ['IT', 'CH'],
  nl: ['NL', 'BE'],
  pt: ['PT', 'BR'],
  pl: ['PL'],
  sv: ['SE', 'FI'],
  da: ['DK'],
  nb: ['NO'],
  fi: ['FI'],
  cs: ['CZ', 'SK'],
  ro: ['RO'],
  hu: ['HU'],
  el: ['GR', 'CY'],
  ko: ['KR'],
  tr: ['TR', 'CY'],
  ja: ['JP'],
};

/** Most texts that are judged. */
const MOST_JUDGED = 150;
/** So many more cells must only the one country read than only the other. */
const DOMINANCE = 4;
/** Unless the header is of its language, it must be so many, because a plan may lack a new or an invented number. */
const FEWEST_MORE = 2;
const SHARE_MORE = 0.1;

/** As people in North America write numbers. */
const american = /^\(?[2-9]\d{2}\)?[ .-]*[2-9]\d{2}[.-]\d{4}$/;

/** Whether a text has digits only that could begin with a country code whose `+` is missing. */
export const isUnclear = (text: string): boolean =>
  /^[1-9]\d{7,}$/.test(text.trim()) &&
  !/^1?[2-9]\d{9}$/.test(text.trim()) &&
  typeof readPhone(`+${digitsOf(text)}`, () => homeOf('', undefined)) === 'string';

const fits = (text: string, country: CountryCode): boolean =>
  (country === 'US' || !american.test(text.trim())) &&
  typeof readPhone(text, () => homeOf('', country)) === 'string';

/** How many cells only the first of two countries reads. */
const onlyIn = (one: readonly boolean[], other: readonly boolean[]): number =>
  one.filter((isRead, index) => isRead && other[index] !== true).length;

interface Judgement {
  /** The country whose numbers the texts clearly are; `undefined` if several fit equally well, or none. */
  readonly country: CountryCode | undefined;
  /** How many texts the countries read, the country of the texts or those that fit best first. */
  readonly counts: readonly Count[];
  /** Those that fit equally well, or almost. */
  readonly equal: readonly Count[];
}

/** How many texts a country reads. */
export interface Count {
  readonly country: CountryCode;
  readonly count: number;
}

/**
 * Judges texts without a country code. What the file says of its people decides only between countries that read most
 * texts, and only if all that it says fits one of them.
 */
export const clearestCountry = (texts: readonly string[], origin: FileOrigin = {}): Judgement => {
  const judged = [...new Set(texts)].slice(0, MOST_JUDGED).filter((text) => !isUnclear(text));
  const read = candidates
    .map((country) => ({ country, cells: judged.map((text) => fits(text, country)) }))
    .map((each) => ({ ...each, count: each.cells.filter(Boolean).length }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  const [best] = read;
  if (!best) return { country: undefined, counts: [], equal: [] };
  // The domains of other countries, and those that the whole world uses, say nothing.
  const domain = candidates.find((country) => country === origin.domain && country !== 'CO');
  const own = homes[origin.language ?? ''];
  const agrees = (country: CountryCode): boolean =>
    (domain === undefined || country === domain) && own?.includes(country) !== false;
  const isAtHome = (country: CountryCode): boolean => own?.includes(country) === true && agrees(country);
  const fewest = isAtHome(best.country) ? 1 : Math.max(FEWEST_MORE, best.count * SHARE_MORE);
  const isBeaten = (cells: readonly boolean[]): boolean => {
    const more = onlyIn(best.cells, cells);
    return more >= fewest && more > DOMINANCE * onlyIn(cells, best.cells);
  };
  const equal = read.filter((each) => each === best || !isBeaten(each.cells));
  const [only, ...others] =
    equal.length === 1 || (domain === undefined && !own)
      ? equal
      : equal.filter((each) => agrees(each.country));
  // A country never wins if another one reads more.
  const country = others.length === 0 && only?.count === best.count ? only.country : undefined;
  const isFirst = (each: Count): boolean => each.country === country;
  return {
    country,
    counts: [...read.filter(isFirst), ...read.filter((each) => !isFirst(each))],
    equal,
  };
};
