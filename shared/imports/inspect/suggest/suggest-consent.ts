/** Suggest consent: words for consent that was given or withdrawn, and the times of statements. */
import { readUtcTime } from '../../../profiles/text-rules.ts';
import type { ConsentState } from '../../../profiles/consent.ts';
import { consentWord } from '../../mapping/consent-cells.ts';
import { parseTarget } from '../../mapping/field-targets.ts';
import { type Doubt, doubtAbout } from '../doubt.ts';
import { type Advice, type ColumnValues, dropped } from './advice.ts';
import { consentVocabulary, isOptInTime, meaningOf } from './consent-words.ts';
import type { FileColumn } from './file-column.ts';
import type { ColumnTarget } from './match-columns.ts';
import { suggestDate } from './suggest-dates.ts';
import { MOST_WORDS } from './suggest-words.ts';

/** The share of cells that must be known words before a column counts as one of consent. */
const MOST = 0.6;

const isKnown = (word: string): boolean => meaningOf(word) !== undefined;

const saysSomething = (word: string): boolean => isKnown(word) && meaningOf(word) !== 'nothing';

/**
 * Whether the values of a column say who has given or withdrawn consent. Names of newsletters and dates do not, and words
 * that say nothing are not enough.
 */
export const readsAsConsent = (values: readonly string[]): boolean => {
  const words = new Set(values);
  if (words.size === 0 || words.size > MOST_WORDS) return false;
  return values.some(saysSomething) && values.filter(isKnown).length >= values.length * MOST;
};

/** The doubts about columns whose names mean consent, or its time, and that fill no such field. */
export const doubtsOfConsent = (
  columns: readonly Pick<FileColumn, 'name' | 'values' | 'index'>[],
  named: readonly (ColumnTarget | null)[],
  places: readonly { readonly target: string | null }[],
): readonly Doubt[] =>
  columns.flatMap(({ name, values, index }) => {
    const { kind } = parseTarget(named[index]?.target ?? '') ?? {};
    const isOther = parseTarget(places[index]?.target ?? '')?.kind !== kind;
    if (!isOther && !isOptInTime(name)) return [];
    const does = 'It is no statement of consent, and no consent is stored from it.';
    if (kind === 'consent') {
      return doubtsAbout(
        name,
        values.filter((value) => !saysSomething(value)),
        'A column whose name means consent, with cells that are no known words for yes or no.',
        does,
      );
    }
    const saw = 'Times of consent, without a column that says whether it was given.';
    return kind === 'consentTime' || isOptInTime(name) ? doubtsAbout(name, values, saw, does) : [];
  });

/** A bad cell of consent refuses its row: if the cell were dropped, a withdrawal that nobody reads would be lost. */
export const suggestConsent = ({ name, values, target }: ColumnValues): Advice => {
  const words = [...new Set(values)];
  const isPlain = words.every((word) => consentWord(word) !== undefined);
  const map = mapOf(words);
  const unknown = values.filter((value) => !isKnown(value));
  const silent = values.filter((value) => meaningOf(value) === 'nothing');
  return {
    options:
      isPlain || Object.keys(map).length === 0 ? {} : { transformations: [{ name: 'map', values: map }] },
    why: [
      'The cells say yes or no. Yes counts as consent that was given, no as consent that was withdrawn: please check.',
      `Consent that was given without a date never overrides a dated withdrawal. If a column has the date, map it to ${target}.datetime.`,
    ],
    doubts: [
      ...doubtsAbout(
        name,
        silent,
        'Words for somebody who never said yes or no.',
        'They say nothing: no consent is stored.',
      ),
      ...doubtsAbout(
        name,
        unknown,
        'Words that are not known as consent.',
        'Their rows are refused until the map has the words.',
      ),
    ],
  };
};

const doubtsAbout = (name: string, seen: readonly string[], saw: string, does: string): readonly Doubt[] =>
  seen.length === 0 ? [] : [doubtAbout(name, seen, { saw, does })];

const stateOf: Readonly<Record<'given' | 'withdrawn' | 'nothing', ConsentState | ''>> = {
  given: 'given',
  withdrawn: 'withdrawn',
  nothing: '',
};

/** The map of the known words of a column, and of the other words of the systems that write them. */
const mapOf = (words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...new Set([...words, ...words.flatMap(consentVocabulary)])].flatMap((word) => {
      const meaning = meaningOf(word);
      return meaning === undefined ? [] : [[word, stateOf[meaning]] as const];
    }),
  );

/** Whether a target is the time of a statement of consent. */
export const isConsentTime = (target: string): boolean => parseTarget(target)?.kind === 'consentTime';

/** UTC times need no transformation. Like the statement, a time that is not read refuses its row. */
export const suggestTime = async (column: ColumnValues): Promise<Advice> => {
  const why = 'The date counts for consent that was given and for consent that was withdrawn: please check.';
  if (column.values.every((value) => readUtcTime(value.trim()) !== undefined))
    return { options: {}, why: [why] };
  const { options, why: reasons, doubts = [] } = await suggestDate(column);
  const { transformations } = options;
  return {
    options: transformations ? { transformations } : {},
    why: [...reasons.filter((reason) => reason !== dropped), why],
    doubts,
  };
};
