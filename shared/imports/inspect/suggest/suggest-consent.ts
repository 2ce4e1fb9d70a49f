/** Suggest consent: words for consent that was given or withdrawn, and the times of statements. */
import { readUtcTime } from '../../../profiles/text-rules.ts';
import { consentWord } from '../../mapping/consent-cells.ts';
import { parseTarget } from '../../mapping/field-targets.ts';
import { type Advice, type ColumnValues, dropped } from './advice.ts';
import { givenWords, nameKey, withdrawnWords } from './column-names.ts';
import { suggestDate } from './suggest-dates.ts';
import { keysOf, MOST_WORDS, no, yes } from './suggest-words.ts';

const given: ReadonlySet<string> = new Set([...yes, ...keysOf(givenWords)]);
const withdrawn: ReadonlySet<string> = new Set([...no, ...keysOf(withdrawnWords)]);

/** Whether the values of a column say who has given or withdrawn consent. Names of newsletters and dates do not. */
export const readsAsConsent = (values: readonly string[]): boolean => {
  const words = new Set(values);
  if (words.size === 0 || words.size > MOST_WORDS) return false;
  return [...words].every((word) => given.has(nameKey(word)) || withdrawn.has(nameKey(word)));
};

/** A bad cell of consent refuses its row: if the cell were dropped, a withdrawal that nobody reads would be lost. */
export const suggestConsent = ({ values, target }: ColumnValues): Advice => {
  const words = [...new Set(values)];
  const isPlain = words.every((word) => consentWord(word) !== undefined);
  const stateOf = (word: string): string => (given.has(nameKey(word)) ? 'given' : 'withdrawn');
  const map = Object.fromEntries(words.map((word) => [word, stateOf(word)]));
  return {
    options: isPlain ? {} : { transformations: [{ name: 'map', values: map }] },
    why: [
      'The cells say yes or no. Yes counts as consent that was given, no as consent that was withdrawn: please check.',
      `Consent that was given without a date never overrides a dated withdrawal. If a column has the date, map it to ${target}.datetime.`,
    ],
  };
};

/** Whether a target is the time of a statement of consent. */
export const isConsentTime = (target: string): boolean => parseTarget(target)?.kind === 'consentTime';

/** UTC times need no transformation. Like the statement, a time that is not read refuses its row. */
export const suggestTime = async (column: ColumnValues): Promise<Advice> => {
  const why = 'The date counts for consent that was given and for consent that was withdrawn: please check.';
  if (column.values.every((value) => readUtcTime(value.trim()) !== undefined))
    return { options: {}, why: [why] };
  const { options, why: reasons } = await suggestDate(column);
  const { transformations } = options;
  return {
    options: transformations ? { transformations } : {},
    why: [...reasons.filter((reason) => reason !== dropped), why],
  };
};
