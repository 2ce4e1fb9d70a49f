/**
 * Folded names: last names and towns as a search compares them. Case, accents, blanks, hyphens and apostrophes do not
 * count, and `ü`, `ue` and `u` are one letter. The fold of the first letters of a word begins the fold of the word, so a
 * search finds a name by its beginning. Pure functions of texts.
 */

/** Letters that Unicode does not take apart into a plain letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'a',
  œ: 'o',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

/** Apostrophes that count as letters, accents of Latin, Greek and Cyrillic letters, points of Hebrew, and vowel signs of Arabic: names are written without, too. */
const accents = /[\u02B9-\u02BF\u0300-\u036F\u0591-\u05C7\u064B-\u065F\u0670]/g;
const unplain = /[ßæœøłđðþħıς]/g;
/** What is no letter, digit or vowel sign. */
const separators = /[^\p{L}\p{N}\p{M}]+/gu;

/** `e` behind `a`, `o` or `u`: Mueller is Müller. Whoever has another name with these letters is found by it all the same. */
const umlauts = /([aou])e+/g;

const plainAscii = /^[a-z]*$/;

/** The letters of a text that count in a search; none for a text without letters and digits. */
export const foldText = (text: string): string => {
  const lower = text.toLowerCase();
  const letters = plainAscii.test(lower) ? lower : unaccented(lower);
  return letters.replace(umlauts, '$1');
};

const unaccented = (lower: string): string =>
  lower
    .normalize('NFKD')
    .replace(accents, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(unplain, (letter) => plainLetters[letter] ?? letter)
    .replace(separators, '');

/**
 * Words before a name that say where it comes from. Lists sort without them as often as with them, so nobody knows whether
 * they are in the file: they do not count before another word.
 */
const particles = new Set(
  `von vom van de der den het ten ter zu zum zur af av da das do dos di del della delle dela degli du des la le las los el al bin ibn`.split(
    ' ',
  ),
);

const between = /[\s-]/;

/** The letters of a last name that count in a search: those of `Müller` for `von Müller`, too. */
export const foldLastName = (name: string): string => {
  if (!between.test(name)) return foldText(name);
  const words = name.split(between).filter((word) => word !== '');
  const first = words.findIndex((word) => !particles.has(word.toLowerCase()));
  return foldText(words.slice(first === -1 ? 0 : first).join(' '));
};

/** Scripts in which one letter is a word or a syllable: two letters are a whole name there. */
const wide = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The letters after which a name is searched for by its beginning; a shorter name only as a whole. */
export const leastLetters = (folded: string): number => (wide.test(folded) ? 1 : 3);

/** The letters of a folded text, one by one: a letter may take two code units. */
export const lettersOf = (folded: string): readonly string[] => Array.from(folded);
