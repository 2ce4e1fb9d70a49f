/** Phone candidates: the country whose numbers some texts clearly are, judged from the texts alone. */
import type { phoneCountries } from '../../mapping/phone-countries.ts';
import { digitsOf } from '../../mapping/phone-text.ts';
import { homeOf, readPhone } from '../../mapping/read-phones.ts';

type PhoneCountry = (typeof phoneCountries)[number];

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
] as const satisfies readonly PhoneCountry[];

/** Countries in which a language of headers is at home. English headers are used everywhere. */
const homes: Readonly<Record<string, readonly PhoneCountry[]>> = {
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
  cs: ['CZ'],
  ja: ['JP'],
};

/** Most texts that are judged. */
const MOST_JUDGED = 150;
/** So many more cells must only the one country read than only the other. */
const DOMINANCE = 4;
/** Away from the language of the header, it must be so many, because a plan may lack a new or an invented number. */
const FEWEST_MORE = 2;
const SHARE_MORE = 0.1;
const MOST_SHOWN = 4;

/** As people in North America write numbers. */
const american = /^\(?[2-9]\d{2}\)?[ .-]*[2-9]\d{2}[.-]\d{4}$/;

/** Whether a text has digits only that could begin with a country code whose `+` is missing. */
export const isUnclear = (text: string): boolean =>
  /^[1-9]\d{7,}$/.test(text.trim()) &&
  !/^1?[2-9]\d{9}$/.test(text.trim()) &&
  typeof readPhone(`+${digitsOf(text)}`, () => homeOf('', undefined)) === 'string';

const fits = (text: string, country: PhoneCountry): boolean =>
  (country === 'US' || !american.test(text.trim())) &&
  typeof readPhone(text, () => homeOf('', country)) === 'string';

/** How many cells only the first of two countries reads. */
const onlyIn = (one: readonly boolean[], other: readonly boolean[]): number =>
  one.filter((isRead, index) => isRead && other[index] !== true).length;

interface Judgement {
  /** The country whose numbers the texts clearly are; `undefined` if several fit equally well, or none. */
  readonly country: PhoneCountry | undefined;
  /** How many texts the countries read that fit best. */
  readonly counts: readonly { readonly country: PhoneCountry; readonly count: number }[];
}

/** Judges texts without a country code. Of countries that fit equally well, a single one where `language` is at home wins. */
export const clearestCountry = (texts: readonly string[], language: string): Judgement => {
  const judged = [...new Set(texts)].slice(0, MOST_JUDGED).filter((text) => !isUnclear(text));
  const read = candidates
    .map((country) => ({ country, cells: judged.map((text) => fits(text, country)) }))
    .map((each) => ({ ...each, count: each.cells.filter(Boolean).length }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  const [best] = read;
  if (!best) return { country: undefined, counts: [] };
  const isAtHome = (country: PhoneCountry): boolean => homes[language]?.includes(country) === true;
  const fewest = isAtHome(best.country) ? 1 : Math.max(FEWEST_MORE, best.count * SHARE_MORE);
  const isBeaten = (cells: readonly boolean[]): boolean => {
    const more = onlyIn(best.cells, cells);
    return more >= fewest && more > DOMINANCE * onlyIn(cells, best.cells);
  };
  const equal = read.filter((each) => each === best || !isBeaten(each.cells));
  const atHome = equal.filter((each) => isAtHome(each.country));
  const [winner] = equal.length === 1 ? equal : atHome;
  const isClear = equal.length === 1 || atHome.length === 1;
  const country = isClear ? winner?.country : undefined;
  const shown = [
    ...read.filter((each) => each.country === country),
    ...read.filter((each) => each.country !== country),
  ];
  return {
    country,
    counts: shown.slice(0, MOST_SHOWN).map((each) => ({ country: each.country, count: each.count })),
  };
};
