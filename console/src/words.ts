/** The words that several screens have for what the API names: types of segments, fields, channels, tiers. */
import type { Texts } from './texts/en.ts';

/** What the API has names for. */
type Named = 'segmentType' | 'tier' | 'field' | 'channel' | 'consent';

/** The word for a name of the API. A name without a word, such as a channel of the reader's own, stays as it is. */
export const wordFor = (texts: Texts, what: Named, name: string): string => {
  const words: Readonly<Record<string, string>> = texts.words[what];
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
};

/** A text of a user inside a sentence, apart from the direction of what is around it, where no element can stand. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;
