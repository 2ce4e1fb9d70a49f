/** The texts of the console in each language, and which of them the reader gets. */
import { en, type Texts } from './en.ts';

/** The languages: their codes (BCP 47), and their names in their own words. */
export const languages: Readonly<Record<string, string>> = { en: en.language, de: 'Deutsch' };

/** A file of texts has one export, `texts`, and its type: it is built with this script. */
const isFile = (loaded: unknown): loaded is { readonly texts: Texts } =>
  typeof loaded === 'object' && loaded !== null && 'texts' in loaded;

/** A language that the page speaks: its code, and its texts. */
export interface Language {
  readonly code: string;
  readonly texts: Texts;
}

const english: Language = { code: 'en', texts: en };

/** Loads a language. All but English have a file of their own, which the page names. English, where that fails. */
export const loadLanguage = async (code: string): Promise<Language> => {
  const address = document.querySelector<HTMLMetaElement>(`meta[name="texts-${code}"]`)?.content;
  if (address === undefined) return english;
  const loaded: unknown = await import(address).catch(() => undefined);
  return isFile(loaded) ? { code, texts: loaded.texts } : english;
};

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
