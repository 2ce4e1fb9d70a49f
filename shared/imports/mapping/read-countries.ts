/**
 * Countries: reads the names and codes of countries in files, for the transformation `country` and for telephone numbers
 * without a country code. Only definitions that need it load the module. The names of a language are read when a text is
 * in none of the tables before it, because most files have codes, or names of one common language.
 */
import type { Transformed } from './cell-fault.ts';
import { codePairs, countryCodes } from './country-codes.ts';
import { ambiguousNames, otherNames, vehicleCodes } from './country-names.ts';

/** Languages whose names of countries are known, the common ones first. */
export const languages =
  'en de fr es it nl pt pl sv da nb fi cs ja sk hu ro tr el ru uk bg hr sl sr-Latn et lv lt is ca ko zh zh-Hant'.split(
    ' ',
  );

/** Letters that have no accent in Unicode and are written without it all the same. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  œ: 'oe',
  æ: 'ae',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** `U.S.A.` without its dots; `n.a.` is no answer, and not Namibia. */
const withoutDots = (text: string): string =>
  /^\s*(?:\p{L}\.\s?)+\p{L}?\s*$/u.test(text) && !/^\s*n\.\s?a/iu.test(text)
    ? text.replace(/[.\s]/gu, '')
    : text;

/**
 * The form in which names are compared: lower case, without accents, signs and characters that nobody sees; `Saint` is
 * `St`. Texts as short as codes keep their accents: `ČR` is the Czech Republic, and not Costa Rica.
 */
export const countryKey = (text: string): string => {
  const lower = withoutDots(text)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/[ßøœæłđı]/gu, (letter) => plainLetters[letter] ?? letter);
  const key = lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the | the$/gu, '')
    .replace(/\b(?:saint|sankt)\b/gu, 'st');
  const accented = lower.trim();
  return /^[a-z]{1,3}$/.test(key) && /[^ -~]/.test(accented) ? accented : key;
};

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/** The keys of a name: also `oesterreich` for `Österreich`. */
const keysOf = (name: string): readonly string[] => {
  const spelled = name.toLowerCase().replace(/[äöü]/gu, (letter) => umlauts[letter] ?? letter);
  return [...new Set([countryKey(name), countryKey(spelled)])];
};

/** The keys of codes and of the spellings that the project knows. Codes of two letters are the last, and so the stronger. */
const codes = (): Map<string, string> =>
  new Map([
    ...Object.entries(otherNames).flatMap(([code, names]) =>
      names.split(';').flatMap((name) => keysOf(name).map((key) => [key, code] as const)),
    ),
    ...Object.entries(vehicleCodes).map(([code, vehicle]) => [vehicle.toLowerCase(), code] as const),
    ...codePairs.map(([code, three]) => [three.toLowerCase(), code] as const),
    ...codePairs.map(([code]) => [code.toLowerCase(), code] as const),
  ]);

/** Languages abbreviate the names of some countries like the codes of others: `RU` is Spanish for the United Kingdom. */
const isAsShortAsCode = /^[a-z]{1,2}$/;

/** The keys of the names in a language. */
export const namesIn = (language: string): readonly (readonly [string, string])[] =>
  (['long', 'short'] as const).flatMap((style) => {
    const names = new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' });
    return countryCodes.flatMap((code) => {
      const name = names.of(code);
      const keys = name === undefined ? [] : keysOf(name);
      return keys.filter((key) => !isAsShortAsCode.test(key)).map((key) => [key, code] as const);
    });
  });

let known: Map<string, string> | undefined;
const unread = languages.values();

/** The country of a key. Reads the names of one language after the other until one of them has it. */
const countryOfKey = (key: string): string | undefined => {
  known ??= codes();
  if (ambiguousNames.has(key)) return undefined;
  for (;;) {
    const code = known.get(key);
    if (code !== undefined) return code;
    const { value: language } = unread.next();
    if (language === undefined) return undefined;
    for (const [name, of] of namesIn(language)) if (!known.has(name)) known.set(name, of);
  }
};

/** Longest text that may name a country. */
const LONGEST = 100;

/** A text with several names of one country, such as `Germany (DE)` or `Schweiz / Suisse`. */
const countryOfParts = (text: string): string | undefined => {
  const parts = text.split(/[()[\]/,;|:\u2013-]+/u).map(countryKey);
  const found = new Set(parts.filter((part) => part !== '').map(countryOfKey));
  const [only] = found;
  return found.size === 1 ? only : undefined;
};

/** The countries of texts that were read before. A file has few of them. */
const remembered = new Map<string, string | undefined>();
const MOST_REMEMBERED = 2_000;

/**
 * The country that a text names, as a code of ISO 3166-1 with two letters: `DE` for `Deutschland`, `Germany`, `DE`, `DEU`
 * and `D`. `undefined` for a text that names no country, or several.
 */
export const readCountry = (text: string): string | undefined => {
  if (remembered.has(text)) return remembered.get(text);
  const country =
    text.length > LONGEST ? undefined : (countryOfKey(countryKey(text)) ?? countryOfParts(text));
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  if (text.length <= LONGEST) remembered.set(text, country);
  return country;
};

/** Reads a country in any spelling, and returns its code of ISO 3166-1 with two letters. */
export const readCountryCode = (text: string): Transformed =>
  readCountry(text) ?? { code: 'not_a_country', predicate: 'is not a country that the service knows' };
