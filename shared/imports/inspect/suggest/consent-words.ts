/** Consent words: what systems and people write for consent that was given, withdrawn, or never asked. */
import { givenWords, nameKey, nothingWords, withdrawnWords } from './column-names.ts';
import { keysOf, no, yes } from './suggest-words.ts';

const given: ReadonlySet<string> = new Set([...yes, ...keysOf(givenWords)]);
const withdrawn: ReadonlySet<string> = new Set([...no, ...keysOf(withdrawnWords)]);
const nothing: ReadonlySet<string> = new Set(keysOf(nothingWords));

/** What a word says about consent; `undefined` for a word that is not known. */
export const meaningOf = (word: string): 'given' | 'withdrawn' | 'nothing' | undefined => {
  const key = nameKey(word);
  if (nothing.has(key)) return 'nothing';
  if (withdrawn.has(key)) return 'withdrawn';
  return given.has(key) ? 'given' : undefined;
};

/** The words of a column, and whether a letter alone is yes: `I` beside `N`, for the Hungarian `igen` and `nem`. */
export const hasLetterForYes = (words: readonly string[]): boolean => {
  const keys = new Set(words.map(nameKey));
  return keys.size === 2 && keys.has('i') && keys.has('n');
};

/** Tells what each word of a column says about consent. */
export const meaningIn = (words: readonly string[]): typeof meaningOf => {
  const isYes = hasLetterForYes(words);
  return (word) => (isYes && nameKey(word) === 'i' ? 'given' : meaningOf(word));
};

const optInTimes: ReadonlySet<string> = new Set(
  keysOf(
    'optin time, confirm time, opt in time, opt in date, opt in timestamp, double opt in date, optin date',
  ),
);

/** Whether a column has the time of an opt-in only, which would date a later withdrawal too early. */
export const isOptInTime = (name: string): boolean => optInTimes.has(nameKey(name));

/** Words that one system writes into one column. A part of a file may lack some of them. */
const vocabularies: readonly (readonly string[])[] = [
  ['subscribed', 'unsubscribed', 'never_subscribed', 'not_subscribed', 'pending', 'cleaned'],
  ['yes', 'no'],
  ['true', 'false'],
  ['ja', 'nein'],
  ['oui', 'non'],
  ['1', '0'],
  ['da', 'nu'],
  ['igen', 'nem'],
  ['ano', 'ne'],
  ['evet', 'hayır'],
  ['kyllä', 'ei'],
  ['ναι', 'όχι'],
];

/** The words that occur beside a word, in its case. */
export const consentVocabulary = (word: string): readonly string[] => {
  const found = vocabularies.find((words) => words.includes(word.toLowerCase())) ?? [];
  if (word === word.toLowerCase()) return found;
  if (word === word.toUpperCase()) return found.map((text) => text.toUpperCase());
  return found.map((text) => text.charAt(0).toUpperCase() + text.slice(1));
};
