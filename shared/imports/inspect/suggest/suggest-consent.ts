/**
 * Suggest consent: words for consent that was given or withdrawn, the times of statements, and opt-outs, whose yes withdraws
 * consent and whose no says nothing.
 */
import { readUtcTime } from '../../../http/text.ts';
import type { ConsentState } from '../../../profiles/consent.ts';
import { consentWord, parseTarget } from '../../mapping/field-targets.ts';
import { doubtsAbout } from '../doubt.ts';
import { type Advice, type ColumnValues, dropped } from './advice.ts';
import {
  consentVocabulary,
  hasLetterForYes,
  meaningIn,
  meaningOf,
  MOST_WORDS,
  keysOf,
  no,
  yes,
} from './words.ts';
import { suggestDate } from './suggest-dates.ts';
import { nameKey, givenWords, withdrawnWords } from './column-names.ts';

/** The share of cells that must be known words before a column counts as one of consent. */
const MOST = 0.6;

/** Whether a word says that consent was given or withdrawn. */
export const saysSomething = (word: string): boolean => !['nothing', undefined].includes(meaningOf(word));

/**
 * Whether the values of a column say who has given or withdrawn consent. Names of newsletters and dates do not, and words
 * that say nothing are not enough.
 */
export const readsAsConsent = (values: readonly string[]): boolean => {
  const words = new Set(values);
  if (words.size === 0 || words.size > MOST_WORDS) return false;
  const meaning = meaningIn([...words]);
  const known = values.filter((word) => meaning(word) !== undefined);
  return values.some(saysSomething) && known.length >= values.length * MOST;
};

/** A bad cell of consent refuses its row: if the cell were dropped, a withdrawal that nobody reads would be lost. */
export const suggestConsent = ({ name, values, target }: ColumnValues): Advice => {
  const words = [...new Set(values)];
  const isPlain = words.every((word) => consentWord(word) !== undefined);
  const map = mapOf(words);
  const meaning = meaningIn(words);
  const unknown = values.filter((value) => meaning(value) === undefined);
  const silent = values.filter((value) => meaning(value) === 'nothing');
  const said = values.length - unknown.length - silent.length;
  return {
    options:
      isPlain || Object.keys(map).length === 0 ? {} : { transformations: [{ name: 'map', values: map }] },
    why: [
      `${whoSays(said, values.length)} Yes counts as consent that was given, no as consent that was withdrawn: please check.`,
      `Consent that was given without a date never overrides a dated withdrawal. If a column has the date, map it to ${target}.datetime.`,
    ],
    doubts: [
      ...doubtsAbout(
        name,
        hasLetterForYes(words) ? values.filter((value) => meaningOf(value) === undefined) : [],
        { saw: 'The letter I beside N, as in igen and nem.', does: 'It counts as yes.' },
      ),
      ...doubtsAbout(name, silent, {
        saw: 'Words for somebody who never said yes or no.',
        does: 'They say nothing: no consent is stored.',
      }),
      ...doubtsAbout(name, unknown, {
        saw: 'Words that are not known as consent.',
        does: 'Their rows are refused until the map has the words.',
      }),
    ],
  };
};

/** Words for no that a later part of the file may have. */
const usualNo = ['no', 'No', 'NO', 'n', 'N', 'false', 'False', 'FALSE', '0'];

/** The withdrawals of a column beside another one that says who has given the consent. */
export const suggestWithdrawals = ({ values, target }: ColumnValues): Advice => {
  const map = mapOf([...new Set([...values, ...usualNo])]);
  const withdrawn = Object.entries(map).filter(([, state]) => state === 'withdrawn');
  return {
    options: { transformations: [{ name: 'map', values: Object.fromEntries(withdrawn), otherwise: 'drop' }] },
    why: [`Another column says who has given ${target}, so only the withdrawals of this column count.`],
  };
};

const whoSays = (said: number, all: number): string => {
  if (said === all) return 'The cells say yes or no.';
  return said === 0
    ? `None of ${all} cells says yes or no in a word that is known.`
    : `${said} of ${all} cells say yes or no.`;
};

const stateOf: Readonly<Record<'given' | 'withdrawn' | 'nothing', ConsentState | ''>> = {
  given: 'given',
  withdrawn: 'withdrawn',
  nothing: '',
};

/** The map of the known words of a column, and of the other words of the systems that write them. */
const mapOf = (words: readonly string[]): Readonly<Record<string, string>> => {
  const meaning = meaningIn(words);
  return Object.fromEntries(
    [...new Set([...words, ...words.flatMap(consentVocabulary)])].flatMap((word) => {
      const state = meaning(word);
      return state === undefined ? [] : [[word, stateOf[state]] as const];
    }),
  );
};

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

const out: ReadonlySet<string> = new Set([...yes, ...keysOf(withdrawnWords)]);
const still: ReadonlySet<string> = new Set([...no, ...keysOf(givenWords)]);

/** Whether a cell of an opt-out says that somebody has opted out. */
export const isOptedOut = (cell: string): boolean => out.has(nameKey(cell));

/** Whether the values of a column say who has opted out. */
export const readsAsOptOut = (values: readonly string[]): boolean => {
  const words = new Set(values);
  if (words.size === 0 || words.size > MOST_WORDS) return false;
  return [...words].every((word) => out.has(nameKey(word)) || still.has(nameKey(word)));
};

/** Spellings that the column may have in rows that the sample does not show. */
const usual = [
  'true',
  'false',
  'TRUE',
  'FALSE',
  'True',
  'False',
  'yes',
  'no',
  'Yes',
  'No',
  '1',
  '0',
  'x',
  'X',
];

/** Yes withdraws consent. No gives none, because nobody was asked. */
export const suggestOptOut = ({ name, values }: ColumnValues): Advice => {
  const words = [...new Set([...values, ...usual])];
  const opted = values.filter(isOptedOut);
  return {
    options: {
      transformations: [
        {
          name: 'map',
          values: Object.fromEntries(words.map((word) => [word, isOptedOut(word) ? 'withdrawn' : ''])),
        },
      ],
    },
    why: [
      'Its name says that people have opted out. Yes counts as consent that was withdrawn, and no says nothing: please check.',
    ],
    doubts: doubtsAbout(name, opted, {
      saw: 'A column whose yes means that a person has opted out.',
      does: 'Stores withdrawn for yes, and nothing for no.',
    }),
  };
};

/** What systems write for no time. */
const never: Readonly<Record<string, string>> = {
  '0000-00-00 00:00:00': '',
  '0000-00-00': '',
  NULL: '',
  null: '',
  '-': '',
};

/** Whether a cell with the time of an opt-out has one. */
export const isOptOutTime = (cell: string): boolean => cell.trim() !== '' && !(cell.trim() in never);

/** A time withdraws consent at that time, and an empty cell says nothing. */
export const suggestOptOutTime = async (column: ColumnValues): Promise<Advice> => {
  const { name, target, values } = column;
  const opted = values.filter(isOptOutTime);
  const { options: ofTime, doubts = [] } = await suggestTime({
    ...column,
    values: opted,
    target: `${target}.datetime`,
  });
  const blank = { name: 'map' as const, values: never };
  return {
    options: {
      transformations: [{ name: 'strip' }, { ...blank, otherwise: { value: 'withdrawn' } }],
    },
    further: [
      {
        target_field: `${target}.datetime`,
        ...ofTime,
        transformations: [{ name: 'strip' }, blank, ...(ofTime.transformations ?? [])],
      },
    ],
    why: ['Its name says when people have opted out. A time counts as consent that was withdrawn then.'],
    doubts: [
      ...doubtsAbout(name, opted, {
        saw: 'Times at which people have opted out.',
        does: 'Stores withdrawn with the time, and nothing for an empty cell.',
      }),
      ...doubts,
    ],
  };
};
