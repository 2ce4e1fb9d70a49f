/** Why rows were refused or warned about, in the words of the page; what has none, in the API's sentence. */
import type { Answer } from '../../../../client/src/types.ts';
import type { Texts } from '../../texts/en.ts';

/** A reason with its count. */
export type Reason = Answer<'getImportJob'>['refused_by'][number];

/** A place in a file, and the API's sentence about it. */
interface Said {
  readonly code: string;
  readonly column: string | null;
  readonly field: string | null;
  readonly message: string;
}

const DROPPED = / The cell was dropped\.$/;

/** The API's sentence without the place in front and without what the title says already. */
const sentenceOf = ({ column, field, message }: Said): string => {
  const starts = [`${column ?? ''} (${field ?? ''}): `, `${column ?? ''}: `, `${field ?? ''}: `];
  const start = starts.find((one) => message.startsWith(one)) ?? '';
  return message.slice(start.length).replace(DROPPED, '');
};

/** What is wrong with one row, and whether these are words of the page. */
export const wordsOfRow = (texts: Texts, row: Said): { readonly text: string; readonly isOwn: boolean } => {
  const sentence = sentenceOf(row);
  // The sentence about a listed word names the list, and says no more than the title.
  const own =
    texts.rows.said(sentence) ?? (row.code === 'not_an_identity' ? titleOf(texts, row.code) : undefined);
  return { text: own ?? sentence, isOwn: own !== undefined };
};

/** What all rows of a code have in common; `undefined` for a code without words. */
export const titleOf = (texts: Texts, code: string): string | undefined =>
  Object.hasOwn(texts.rows.codes, code) ? texts.rows.codes[code] : undefined;

/** What the rows of a reason have in common, and what is wrong with one of them, which the title of left-out cells does not say. */
export const wordsOfReason = (
  texts: Texts,
  { code, column, field, example_message: message }: Reason,
): { readonly title: string; readonly example: string | undefined } => {
  const words = message === null ? undefined : wordsOfRow(texts, { code, column, field, message }).text;
  const title = titleOf(texts, code);
  return {
    title: title ?? words ?? code.replaceAll('_', ' '),
    example: code === 'dropped_cell' ? words : undefined,
  };
};
