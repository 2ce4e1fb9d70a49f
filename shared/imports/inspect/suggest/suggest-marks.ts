/** Suggest marks: marks of cells as text for spreadsheets, and quotes that a second export puts around whole cells. */
import { hasApostrophe, hasMark, textInQuotes } from '../../mapping/read-marks.ts';
import { doubtsAbout } from '../doubt.ts';
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
    doubts: doubtsAbout(name, isText ? texts : marked, {
      saw: 'Apostrophes or formulas that mark cells as text for spreadsheets.',
      does: 'The marks are removed.',
    }),
  };
};

/** The share of cells that must be quoted where a cell may have quotes of its own. */
const MOST_QUOTED = 0.5;

/** Fields whose values are lists: their quotes are those of the lists. */
const lists: ReadonlySet<string> = new Set(['tags', 'source', 'social_likes']);

const isDouble = (value: string): boolean => value.trimStart().startsWith('"');

/** Rows without the double quotes around whole cells. */
export const unquotedRows = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  rows.map((cells) => cells.map((cell) => (isDouble(cell) ? (textInQuotes(cell) ?? cell) : cell)));

/**
 * Removes quotes around whole cells. A comment may be a quotation, and an apostrophe may begin and end a word: there, most
 * cells must have quotes.
 */
export const suggestQuotes = ({
  name,
  values,
  target,
}: Pick<ColumnValues, 'name' | 'values' | 'target'>): Advice | undefined => {
  if (lists.has(target)) return undefined;
  const quoted = values.filter((value) => textInQuotes(value) !== undefined);
  const isSure = quoted.some(isDouble) && !target.startsWith('extra_data.');
  if (quoted.length === 0 || (!isSure && quoted.length <= MOST_QUOTED * values.length)) return undefined;
  return {
    options: { transformations: [{ name: 'unguard', marks: 'quotes' }] },
    why: ['Some cells have quotes around the whole text.'],
    doubts: doubtsAbout(name, quoted, {
      saw: 'Quotes around whole cells, as of a file that was exported twice.',
      does: 'The quotes are removed.',
    }),
  };
};
