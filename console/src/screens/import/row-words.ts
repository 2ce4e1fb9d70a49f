/** Why rows were refused or warned about, in the words of the page; what has none, in the API's sentence. */
import type { Answer } from '../../../../client/src/types.ts';
import type { Texts } from '../../texts/en.ts';
import { withoutSettings } from './targets.ts';

/** A reason with its count. */
export type Reason = Answer<'getImportJob'>['refused_by'][number];

/** A place in a file, and the API's sentence about it. */
interface Said {
  readonly code: string;
  readonly column: string | null;
  readonly field: string | null;
  readonly message: string;
}

/** What the title says already. */
const DROPPED = / The cell was dropped\.$/;

/** The API's sentence without the place in front and without what the title says already. */
const sentenceOf = ({ column, field, message }: Said): string => {
  const starts = [`${column ?? ''} (${field ?? ''}): `, `${column ?? ''}: `, `${field ?? ''}: `];
  const start = starts.find((one) => message.startsWith(one)) ?? '';
  return withoutSettings(message.slice(start.length)).replace(DROPPED, '');
};

/** What is wrong with one row, and whether these are words of the page. */
export const wordsOfRow = (texts: Texts, row: Said): { readonly text: string; readonly isOwn: boolean } => {
  const sentence = sentenceOf(row);
  const own = texts.rows.said(sentence);
  return { text: own ?? sentence, isOwn: own !== undefined };
};

/** What all rows of a code have in common; for a code without words, its name. */
export const titleOf = ({ rows: { codes } }: Texts, code: string): string =>
  (Object.hasOwn(codes, code) ? codes[code] : undefined) ?? code.replaceAll('_', ' ');

/** What is wrong with one row of a reason, where the title does not say it; absent without `people.read`. */
export const exampleOf = (
  texts: Texts,
  { code, column, field, example_message: message }: Reason,
): string | undefined =>
  message !== null && (code === 'dropped_cell' || !Object.hasOwn(texts.rows.codes, code))
    ? wordsOfRow(texts, { code, column, field, message }).text
    : undefined;
