/** Consent names: what yes means in a column of consent, and which words of its name leave this in doubt. */
import { nameKey } from './column-names.ts';
import { isParticle, isStem, negativeParts, neutral, neutralParts } from './consent-name-words.ts';
import { no, yes } from './words.ts';

/**
 * What yes means by the words of a name: that somebody has agreed, or has said no; or it is not known, because of `words`.
 */
type NameMeaning =
  { readonly kind: 'agreed' | 'refused' } | { readonly kind: 'unknown'; readonly words: readonly string[] };

/** Words that may stand between two negations, of which one takes the other back. */
const between: ReadonlySet<string> = new Set(
  'be,been,yet,has,have,is,was,the,mehr,noch,wird,a,an,plus,ha,esta,e,consent'.split(','),
);

/** Verbs before `no` in Portuguese, where it means `in the`. */
const inThe = /\b(?:inscrit[oa]|cadastrad[oa]|subscrit[oa]|assinante) no\b/u;
const isCjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A name of more words is a sentence, such as `I agree to receive the newsletter and may unsubscribe at any time`. */
const LONG = 8;
const agreeing =
  /\b(?:agree|accept|consent|stimme|zustimm\w*|einverstanden|willige|einwillig\w*|accepte|acepto|acconsento|aceito|akkoord|zgadzam|samtycker|samtykker|souhlasim)\b/u;

/** What yes means in a column of consent, by its name. */
export const meaningOfName = (name: string): NameMeaning => {
  const words = wordsOf(name);
  const twice = negatedTwice(words);
  if (twice !== undefined) return { kind: 'unknown', words: [twice] };
  if (inThe.test(words.join(' ')) || words.at(-1) === 'no') return { kind: 'unknown', words: ['no'] };
  const negations = words.filter((word) => isNegation(word));
  if (words.length > LONG && (agreeing.test(words.join(' ')) || !negations.some((word) => isParticle(word))))
    return { kind: 'unknown', words: negations };
  if (negations.length > 0) return { kind: 'refused' };
  const unknown = words.flatMap(unknownIn);
  return unknown.length === 0 ? { kind: 'agreed' } : { kind: 'unknown', words: unknown };
};

/** The words of a name. A pair such as `yes/no` at the end of a name lists the cells, so it is left out. */
const wordsOf = (name: string): readonly string[] => {
  const said = name.replace(answers, (pair: string, one: string, other: string) =>
    yes.has(nameKey(one)) && no.has(nameKey(other)) ? '' : pair,
  );
  const text = isCjk.test(said)
    ? nameOfParts(said)
    : nameKey(said).replace(/\bopt(?:s|ed|ing)? ?(?:me |us )?outs?\b/gu, 'optout');
  return text.split(' ').filter((word) => word !== '');
};

const answers = /(?<![\p{L}\p{N}])([\p{L}\p{N}]{1,10}) ?[/|] ?([\p{L}\p{N}]{1,10})[)\]?:. ]*$/u;

/** A name in a language without spaces keeps its letters as they are written. */
const nameOfParts = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/する[/・|]しない/gu, ' ')
    .replace(/[^\p{L}\p{N}ー]+/gu, ' ');

/** Whether a word of a name negates something. */
export const hasNegation = (name: string): boolean => wordsOf(name).some((word) => isNegation(word));

const isNegation = (word: string): boolean =>
  isParticle(word) || isStem(word) || (isCjk.test(word) && negativeParts.test(word));

/** The second of two negations in a row. */
const negatedTwice = (words: readonly string[]): string | undefined => {
  for (const [index, word] of words.entries()) {
    if (!isNegation(word)) continue;
    const next = words.slice(index + 1).find((other) => !between.has(other));
    if (next !== undefined && isStem(next)) return next;
  }
  return undefined;
};

/** The unknown parts of a word. A number is never unknown. */
const unknownIn = (word: string): readonly string[] => {
  if (neutral.has(word) || /^\p{N}+$/u.test(word)) return [];
  if (!isCjk.test(word)) return [word];
  const rest = neutralParts.reduce(
    (text, part) => text.replaceAll(part, ' '),
    word.replace(/sms|dm|e/gu, ' '),
  );
  return rest.split(' ').filter((part) => part !== '');
};
