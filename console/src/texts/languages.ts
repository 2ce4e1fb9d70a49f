/** The texts of the console in each language, and which of them the reader gets. */
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

/** The languages, by their code (BCP 47). */
export const languages: Readonly<Record<string, Texts>> = { en, de };

const CHOSEN = 'tidemark.language';

/** The language of the reader: the one chosen on this machine, or the first of the browser that there is. */
export const languageOf = (): string => {
  const wanted = [localStorage.getItem(CHOSEN) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.find((code) => Object.hasOwn(languages, code)) ?? 'en';
};

/** How the reader writes numbers and dates in a language: `en-GB` for `en`, if the browser says so. */
export const localeOf = (code: string): string =>
  navigator.languages.find((tag) => tag.slice(0, 2) === code) ?? code;

/** Chooses a language for this machine. */
export const keepLanguage = (code: string): void => {
  localStorage.setItem(CHOSEN, code);
};
