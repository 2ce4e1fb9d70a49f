/** Suggest marks: apostrophes and formulas that mark cells as text for spreadsheets. */
import { hasApostrophe, hasMark } from '../../mapping/read-marks.ts';
import { doubtAbout } from '../doubt.ts';
import type { Advice, ColumnValues } from './advice.ts';

/** The share of cells that must begin with an apostrophe before it counts as a mark of text: `'t Hooft` is a name. */
const MOST = 0.9;

/** Removes marks if the cells have them. */
export const suggestMarks = ({ name, values }: Pick<ColumnValues, 'name' | 'values'>): Advice | undefined => {
  const marked = values.filter(hasMark);
  const texts = values.filter(hasApostrophe);
  const isText = texts.length > 1 && texts.length >= values.length * MOST && texts.length > marked.length;
  if (marked.length === 0 && !isText) return undefined;
  return {
    options: { transformations: [isText ? { name: 'unguard', marks: 'all' } : { name: 'unguard' }] },
    why: ['Some cells have the mark of text for spreadsheets.'],
    doubts: [
      doubtAbout(name, isText ? texts : marked, {
        saw: 'Apostrophes or formulas that mark cells as text for spreadsheets.',
        does: 'The marks are removed.',
      }),
    ],
  };
};
