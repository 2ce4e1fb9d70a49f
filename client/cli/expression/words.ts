/** Words in a row, as names and conditions have them, and the operators among them. */
import { type Operator, operators } from './operators.ts';
import type { Token } from './tokens.ts';
import type { Span } from './types.ts';

/** A text with its tokens. */
export interface Source {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** A word, or one of the parts of a word around a sign: `Umsatz>=500` has three. */
export interface Piece extends Span {
  readonly text: string;
  readonly isSign: boolean;
}

/** Words up to the next keyword, parenthesis or quote. */
export interface Words {
  readonly pieces: readonly Piece[];
  /** The token behind them. */
  readonly next: number;
}

const sign = /!=|[<>=≤≥≠]+/;

/** The words from a token on. */
export const wordsFrom = (tokens: readonly Token[], from: number): Words => {
  const pieces: Piece[] = [];
  let next = from;
  for (let token = tokens[next]; token?.kind === 'word'; token = tokens[next]) {
    pieces.push(...piecesOf(token.text, token.start));
    next += 1;
  }
  return { pieces, next };
};

/** The word in front of the first sign of a word, the sign, and what stands behind it. */
const piecesOf = (word: string, start: number): readonly Piece[] => {
  const found = sign.exec(word);
  if (found === null) return [{ text: word, isSign: false, start, end: start + word.length }];
  const bounds = [0, found.index, found.index + found[0].length, word.length];
  return [0, 1, 2].flatMap((part) => {
    const [begin = 0, end = 0] = bounds.slice(part);
    const text = word.slice(begin, end);
    return text === '' ? [] : [{ text, isSign: part === 1, start: start + begin, end: start + end }];
  });
};

/** The operator that begins with a piece. */
export const operatorAt = (pieces: readonly Piece[], at: number): Operator | undefined =>
  operators.find(({ words }) =>
    words.every((word, offset) => pieces[at + offset]?.text.toLowerCase() === word),
  );

/** A part of a text, with one space where it has several or a line break. */
export const sliceOf = (text: string, { start, end }: Span): string =>
  text.slice(start, end).replaceAll(/\s+/g, ' ');
