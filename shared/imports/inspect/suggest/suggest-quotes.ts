/** Suggest quotes: quotes around whole cells, as a second export puts them around those of the first. */
import { textInQuotes } from '../../mapping/read-marks.ts';
import { doubtAbout } from '../doubt.ts';
import type { Advice, ColumnValues } from './advice.ts';

/** The share of cells that must be quoted where a cell may have quotes of its own. */
const MOST = 0.5;

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
  if (quoted.length === 0 || (!isSure && quoted.length <= MOST * values.length)) return undefined;
  return {
    options: { transformations: [{ name: 'unguard', marks: 'quotes' }] },
    why: ['Some cells have quotes around the whole text.'],
    doubts: [
      doubtAbout(name, quoted, {
        saw: 'Quotes around whole cells, as of a file that was exported twice.',
        does: 'The quotes are removed.',
      }),
    ],
  };
};
