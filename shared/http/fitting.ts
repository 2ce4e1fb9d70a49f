/** Fitting: how many views of a list fit into one answer of a function. */
import { limits } from '../config/limits.ts';

/**
 * Bytes of a view, with the comma behind it, in the answer of a function. Lambda carries the JSON of the body as a JSON
 * string, so each quote and each backslash takes a byte more than in the body that the client gets.
 */
export const bytesInAnswer = (view: unknown): number => {
  const json = JSON.stringify(view);
  return Buffer.byteLength(json) + countOf(json, '"') + countOf(json, '\\') + COMMA;
};

const COMMA = 1;

/** How often a character is in a text. A second `JSON.stringify` would take twice as long. */
const countOf = (text: string, character: string): number => {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1;
  return count;
};

/**
 * The number of views, in order, that fit into a page of `limits.http.pageBytes`. At least one, so that every page
 * makes progress.
 */
export const fittingCount = (shown: readonly unknown[]): number =>
  Math.min(shown.length, Math.max(countWithin(shown, limits.http.pageBytes), 1));

/** The number of views, in order, that fit into so many bytes of an answer. */
export const countWithin = (shown: readonly unknown[], most: number): number => {
  let bytes = 0;
  const over = shown.findIndex((one) => {
    bytes += bytesInAnswer(one);
    return bytes > most;
  });
  return over === -1 ? shown.length : over;
};
