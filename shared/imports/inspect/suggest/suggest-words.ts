/** Suggest words: words for yes and no in several languages. */
import { readYesOrNo } from '../../../profiles/text-rules.ts';
import type { Advice, ColumnValues } from './advice.ts';
import { nameKey, noWords, yesWords } from './column-names.ts';

/** The keys of words that are delimited by commas. */
export const keysOf = (words: string): readonly string[] => words.split(',').map(nameKey);

/** Words for yes. */
export const yes: ReadonlySet<string> = new Set(keysOf(yesWords));
/** Words for no. */
export const no: ReadonlySet<string> = new Set(keysOf(noWords));

/** More or longer words are no words for yes and no. */
export const MOST_WORDS = 20;
const WORD_CHARACTERS = 20;

/** Words for yes and no in other languages, if all values are such words. */
export const suggestWords = ({ values }: ColumnValues, otherwise: Advice): Advice => {
  const words = [...new Set(values)];
  const keys = words.map(nameKey);
  if (words.length > MOST_WORDS || words.some((word) => word.length > WORD_CHARACTERS)) return otherwise;
  const isText = keys.some((key) => /\p{L}/u.test(key) && key !== 'x');
  if (!isText || !keys.every((key) => yes.has(key) || no.has(key))) return otherwise;
  if (words.every((word) => readYesOrNo(word) !== undefined)) return otherwise;
  const map = Object.fromEntries(words.map((word) => [word, yes.has(nameKey(word)) ? 'Yes' : 'No']));
  return {
    options: { ...otherwise.options, transformations: [{ name: 'map', values: map }] },
    why: ['The cells are words for yes and no.', ...otherwise.why],
  };
};
