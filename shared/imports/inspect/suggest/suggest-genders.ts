/** Suggest genders: one word for each gender, where a column has words of other languages or of its own. */
import { visibleText } from '../../../runtime/visible-text.ts';
import { doubtsAbout } from '../doubt.ts';
import { type Advice, type ColumnValues, suggestStrip } from './advice.ts';
import { type Language, nameKey } from './column-names.ts';
import { genderKey, gendersOf, isPlainGender } from './gender-words.ts';
import { knownNames } from './known-names.ts';
import { firstOf } from '../../../runtime/shortened.ts';
import { countsOf } from '../../../runtime/counts.ts';

/** Most words that a doubt shows. */
const MOST_SHOWN = 8;
const WORD_CHARACTERS = 30;

/**
 * A map to `male` and `female` where the words together leave no doubt. Other words stay as they are, and a doubt tells
 * them, because each word is a segment of its own. The words that most files have stay without a doubt, unless a column
 * writes one gender in two ways.
 */
export const suggestGender = (column: ColumnValues): Advice => {
  const { name, values } = column;
  const strip = suggestStrip(values);
  const words = values.map(visibleText);
  const counts = countsOf(words);
  const meanings = gendersOf(words, languageOfColumn(column));
  const mapped = [...counts.keys()].flatMap((word) => {
    const gender = meanings.get(genderKey(word));
    return gender === undefined ? [] : [{ word, gender }];
  });
  const isWrittenTwice = new Set(mapped.map(({ gender }) => gender)).size < mapped.length;
  if (words.every(isPlainGender) && !isWrittenTwice) return strip;
  const seen = firstOf([...counts], MOST_SHOWN, ([word, count]) => `${quoted(word)} (${count})`);
  const saw = `Words for genders: ${seen}.`;
  const kept = [...counts.keys()].filter((word) => !meanings.has(genderKey(word)));
  if (mapped.length === 0) {
    const does = 'Stores them as they are: each word is a segment of its own. Map them to male and female.';
    return { ...strip, doubts: doubtsAbout(name, words, { saw, does }) };
  }
  const stored = firstOf(mapped, MOST_SHOWN, ({ word, gender }) => `${quoted(word)} as ${gender}`);
  const keeps = kept.length === 0 ? '' : ` Keeps ${firstOf(kept, MOST_SHOWN, quoted)}.`;
  return {
    options: {
      transformations: [
        ...(strip.options.transformations ?? []),
        { name: 'map', values: Object.fromEntries(mapped.flatMap(spellings)) },
      ],
    },
    why: [...strip.why, 'The words become male and female, so that a gender is one segment.'],
    doubts: doubtsAbout(name, words, { saw, does: `Stores ${stored}.${keeps}` }),
  };
};

/** The language of a column: that of its name if only one language has it, else that of the header. */
const languageOfColumn = ({ name, language, origin }: ColumnValues): Language | undefined => {
  const own = new Set(knownNames.get(nameKey(name))?.map((meaning) => meaning.language));
  const [only] = own;
  if (own.size === 1 && only !== undefined && only !== 'en') return only;
  if (own.size > 1 && own.has(language) && language !== 'en') return language;
  return origin?.language;
};

/** A later part of the file may have a word in the other case. */
const spellings = ({ word, gender }: { readonly word: string; readonly gender: string }) =>
  [word, word.toUpperCase(), word.toLowerCase()].map((text) => [text, gender] as const);

const quoted = (word: string): string => JSON.stringify(word.slice(0, WORD_CHARACTERS));
