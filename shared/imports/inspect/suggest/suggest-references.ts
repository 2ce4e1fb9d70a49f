/** Suggest references: decodes cells with character references of HTML, which other systems took from web pages. */
import { doubtsAbout } from '../doubt.ts';
import type { Advice, ColumnValues } from './advice.ts';

/** What may be a reference. Only the names of the standard tell, and they are loaded only for a text with this shape. */
const reference = /&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/iu;

const mayHaveReference = (text: string): boolean => text.includes('&') && reference.test(text);

/** Longest word in a doubt. */
const WORD_CHARACTERS = 40;

const decoder = async () => (await import('../../mapping/read-references.ts')).decodeReferences;

/** Rows with their references decoded: the same rows if no cell has one. */
export const decodedRows = async (
  rows: readonly (readonly string[])[],
): Promise<readonly (readonly string[])[]> => {
  if (!rows.some((cells) => cells.some(mayHaveReference))) return rows;
  const decode = await decoder();
  return rows.map((cells) => cells.map((cell) => (mayHaveReference(cell) ? decode(cell) : cell)));
};

/** Decodes references if some cells have them. */
export const suggestReferences = async ({
  name,
  values,
}: Pick<ColumnValues, 'name' | 'values'>): Promise<Advice | undefined> => {
  const candidates = values.filter(mayHaveReference);
  if (candidates.length === 0) return undefined;
  const decode = await decoder();
  const found = candidates.filter((value) => decode(value) !== value);
  const [first] = found;
  if (first === undefined) return undefined;
  const word = wordWithReference(first, decode);
  const twice = found.filter((value) => decode(decode(value)) !== decode(value));
  return {
    options: { transformations: [{ name: 'unescape_html' }] },
    why: ['Some cells have character references of HTML.'],
    doubts: [
      ...doubtsAbout(name, found, {
        saw: 'HTML character references, with which web pages write characters.',
        does: `They are decoded: "${word}" becomes "${decode(word)}".`,
      }),
      ...doubtsAbout(name, twice, {
        saw: 'HTML character references that were encoded twice.',
        does: 'They are decoded once. A second `unescape_html` decodes the rest.',
      }),
    ],
  };
};

/** The first word of a text that changes, or only its reference if the word is long. */
const wordWithReference = (text: string, decode: (text: string) => string): string => {
  const changes = (part: string): boolean => decode(part) !== part;
  const word = text.split(/\s+/u).find(changes) ?? text;
  if (word.length <= WORD_CHARACTERS) return word;
  const references = word.match(new RegExp(reference, 'giu')) ?? [];
  return (references.find(changes) ?? word).slice(0, WORD_CHARACTERS);
};
