/** Suggest opt-outs: columns whose yes withdraws consent, and whose no says nothing. */
import { doubtAbout } from '../doubt.ts';
import type { Advice, ColumnValues } from './advice.ts';
import { nameKey, givenWords, withdrawnWords } from './column-names.ts';
import { suggestTime } from './suggest-consent.ts';
import { keysOf, MOST_WORDS, no, yes } from './suggest-words.ts';

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
    doubts:
      opted.length === 0
        ? []
        : [
            doubtAbout(name, opted, {
              saw: 'A column whose yes means that a person has opted out.',
              does: 'Stores withdrawn for yes, and nothing for no.',
            }),
          ],
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
      ...(opted.length === 0
        ? []
        : [
            doubtAbout(name, opted, {
              saw: 'Times at which people have opted out.',
              does: 'Stores withdrawn with the time, and nothing for an empty cell.',
            }),
          ]),
      ...doubts,
    ],
  };
};
