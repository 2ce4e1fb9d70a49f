/** Score words: how well bytes read as words of the languages that are written in a code page. */
import { decode } from './decode.ts';
import type { CodePage } from './dialect.ts';
import { latinLetters } from './latin-letters.ts';
import { eastAsianCharacters, otherLetters } from './other-letters.ts';
import { WORD_BYTES } from './word-sample.ts';

const letters = { ...latinLetters, ...otherLetters };
type Alphabetic = keyof typeof letters;
type EastAsian = keyof typeof eastAsianCharacters;

const western = ['de', 'fr', 'es', 'ca', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'is', 'fi'] as const;
const central = ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'de', 'fr'] as const;
const cyrillic = ['ru', 'uk', 'bg', 'sr'] as const;

/** The languages for which files use a code page. The first code page is the most frequent, and wins a tie. */
export const languagesOf = new Map<CodePage, readonly Alphabetic[] | EastAsian>([
  ['windows-1252', western],
  ['windows-1250', central],
  ['windows-1251', cyrillic],
  ['shift_jis', 'ja'],
  ['gb18030', 'zh'],
  ['windows-1254', ['tr', 'de']],
  ['big5', 'tw'],
  ['euc-kr', 'ko'],
  ['windows-1253', ['el']],
  ['windows-1257', ['lt', 'lv', 'et', 'de']],
  ['windows-1255', ['he']],
  ['windows-1256', ['ar']],
  ['windows-874', ['th']],
  ['macintosh', western],
  ['ibm850', western],
  ['ibm852', central],
  ['ibm437', western],
  ['koi8-r', cyrillic],
  ['koi8-u', cyrillic],
  ['iso-8859-2', central],
  ['ibm866', cyrillic],
  ['euc-jp', 'ja'],
  ['x-mac-cyrillic', cyrillic],
  ['iso-8859-5', cyrillic],
  ['iso-8859-7', ['el']],
]);

/** A word as it reads in a code page; without a text when its bytes are no text there. */
export interface ReadWord {
  readonly text: string | undefined;
  readonly score: number;
}

/** Bytes that are no text count as much as several unusual letters. */
const NO_TEXT = -6;

/** Reads a word, given as the bytes of Latin-1. A score above 0 means that its letters are usual. */
export const readWord = (word: string, codePage: CodePage): ReadWord => {
  const text = decodeWord(Buffer.from(word, 'latin1'), codePage);
  if (text === undefined) return { text, score: NO_TEXT - word.length };
  const languages = languagesOf.get(codePage) ?? [];
  return {
    text,
    score: typeof languages === 'string' ? eastAsianScore(text, languages) : alphabeticScore(text, languages),
  };
};

/** A word of full length may end with a part of a character. */
const decodeWord = (bytes: Buffer, codePage: CodePage): string | undefined => {
  const cuts = bytes.length === WORD_BYTES ? [0, 1, 2, 3] : [0];
  return cuts
    .map((cut) => decode(bytes.subarray(0, bytes.length - cut), codePage))
    .find((text) => text !== undefined);
};

const isAscii = (character: string): boolean => character < '\u0080';
const asciiLetter = /^[a-z]$/i;
const kana = /^[\u3041-\u3096\u30a1-\u30fc]$/;
const hanzi = /^[\u3400-\u9fff]$/;
const hangul = /^[\uac00-\ud7a3]$/;
const wideSign = /^[\u3000-\u303f\uff01-\uff5e]$/;

const characterSets: Readonly<Record<EastAsian, ReadonlySet<string>>> = {
  ja: new Set(eastAsianCharacters.ja),
  zh: new Set(eastAsianCharacters.zh),
  tw: new Set(eastAsianCharacters.tw),
  ko: new Set(eastAsianCharacters.ko),
};

const eastAsianScore = (text: string, language: EastAsian): number => {
  let score = 0;
  let before = ' ';
  for (const character of text) {
    // Words mix no letters of ASCII with these characters.
    if (isAscii(character) ? asciiLetter.test(character) && !isAscii(before) : asciiLetter.test(before))
      score -= 3;
    if (!isAscii(character)) score += characterScore(character, language);
    before = character;
  }
  return score;
};

const characterScore = (character: string, language: EastAsian): number => {
  if (characterSets[language].has(character)) return 2;
  if (kana.test(character)) return language === 'ja' ? 2 : -2;
  if (hangul.test(character)) return language === 'ko' ? -0.5 : -2;
  if (hanzi.test(character)) return language === 'ko' ? -3 : -0.5;
  if (wideSign.test(character)) return 0;
  // Half-width kana: any bytes of a certain range are some.
  return language === 'ja' && character >= '\uff66' && character <= '\uff9f' ? -0.5 : -2;
};

const pairScores: Readonly<Record<string, ReadonlyMap<string, number>>> = Object.fromEntries(
  Object.entries(letters).map(([language, [frequent, usual]]) => [
    language,
    new Map([...pairsIn(frequent, 2), ...pairsIn(usual, 1)]),
  ]),
);

function* pairsIn(pairs: string, score: number): Generator<readonly [string, number]> {
  for (let at = 0; at < pairs.length; at += 2) yield [pairs.slice(at, at + 2), score];
}

const UNUSUAL_PAIR = -2;

/** Controls, and the lines and blocks that DOS draws: no word has them. */
const noText = /^[\u0080-\u009f\u2500-\u259f]$/;
const letter = /^[\p{L}\p{M}_]$/u;
const lowerThenUpper = /^\p{Ll}\p{Lu}$/u;
/** Signs that stand between letters, in front of a word, and behind a word. */
const between = /^['’´`·.-]$/;
const inFront = /^[\p{Pi}\p{Ps}¡¿„“”«»§–—•·´’]$/u;
const behind = /^[ªº²³°®™’´”“»–—…·©«]$/;
const ordinal = /^[ªº]$/;

const alphabeticScore = (text: string, languages: readonly Alphabetic[]): number => {
  const units = `_${text.replaceAll(/\d/g, '_')}_`;
  const pairs: string[] = [];
  let score = 0;
  for (let at = 0; at + 1 < units.length; at += 1) {
    const pair = units.slice(at, at + 2);
    const [first = '', second = ''] = [units[at], units[at + 1]];
    if (isAscii(first) && isAscii(second)) continue;
    if (letter.test(first) && letter.test(second) && !lowerThenUpper.test(pair)) pairs.push(folded(pair));
    else score += signScore(units[at - 1] ?? '_', first, second);
  }
  if (pairs.length === 0) return score;
  const best = languages.map((language) => {
    const scores = pairScores[language];
    return pairs.reduce((sum, pair) => sum + (scores?.get(pair) ?? UNUSUAL_PAIR), 0);
  });
  return score + Math.max(...best);
};

/** The score of two characters that are no pair of letters. */
const signScore = (before: string, first: string, second: string): number => {
  if (noText.test(second)) return -8;
  if (lowerThenUpper.test(first + second)) return -3;
  const isBefore = letter.test(first) && first !== '_';
  if (isBefore) return isAscii(second) || behind.test(second) ? 0 : -1;
  if (!letter.test(second) || second === '_' || isAscii(first) || between.test(first)) return 0;
  if (letter.test(before) && before !== '_') return ordinal.test(first) ? -2 : -4;
  return inFront.test(first) ? 0 : -3;
};

/** Lower case, without a change of the length. */
const folded = (pair: string): string => {
  const lower = pair.replaceAll('İ', 'i').toLowerCase();
  return lower.length === pair.length ? lower : pair;
};
