/** Reads the texts of conditions: one behind its operator, or several in parentheses. */
import type { Operator } from './operators.ts';
import { type Found, found, gapAt, isQuotedNext, nameOf, type Place, unfit, wordsBehind } from './place.ts';
import type { Token } from './tokens.ts';
import type { Span } from './types.ts';
import { readDay, readNumber } from './values.ts';
import { operatorAt, type Piece } from './words.ts';

/** A text, and whether quotes say that it is no number. */
export interface Text extends Span {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** The text behind an operator: in quotes, or words among which no other operator stands. */
export const readText = (place: Place): Found<Text> => {
  const { tokens, words, from } = place;
  const behind = wordsBehind(place);
  if (behind !== undefined) {
    const isOperator = (_: Piece, at: number): boolean => at > from && beginsCondition(words.pieces, at);
    if (words.pieces[from]?.isSign !== true && !words.pieces.some(isOperator))
      return found({ ...behind, isQuoted: false }, { end: behind.end, next: words.next });
    const message = 'Write "and" or "or" between two conditions, or put the value into quotes.';
    return unfit(message, behind, true);
  }
  const token = tokens[words.next];
  if (token?.kind === 'quoted' && token.prefix === '' && token.text.trim() !== '')
    return found({ ...token, isQuoted: true }, { end: token.end, next: words.next + 1 });
  return unfit(`${nameOf(place)} needs a value.`, gapAt(place, words.next), isQuotedNext(place));
};

/** Whether an operator with a value that fits begins among the words of a text: somebody has left out an "and". */
const beginsCondition = (pieces: readonly Piece[], at: number): boolean => {
  const operator = pieces[at]?.isSign ? undefined : operatorAt(pieces, at);
  if (operator === undefined) return pieces[at]?.isSign === true;
  const from = at + operator.words.length;
  return isFollowed(operator, pieces[from]?.text, pieces[from + 1]?.text);
};

const isFollowed = ({ takes }: Operator, value: string | undefined, unit = ''): boolean => {
  if (value === undefined) return takes === 'nothing' || takes === 'list';
  switch (takes) {
    case 'day':
      return readDay(value).ok;
    case 'days':
      return readNumber(value).ok && /^days?$/i.test(unit);
    case 'two':
      return readNumber(value).ok || readDay(value).ok;
    case 'text':
      return true;
    // These are signs, or parentheses follow them.
    case 'value':
    case 'number':
    case 'list':
    case 'nothing':
      return false;
  }
};

/** Reads values in parentheses with commas between them: `(DE, AT, "a, b")`. */
export const readList = (place: Place): Found<readonly Text[]> => {
  const { tokens, words } = place;
  const behind = wordsBehind(place);
  const open = tokens[words.next];
  if (behind !== undefined || open?.kind !== 'open') {
    return unfit(
      `${nameOf(place)} needs values in parentheses: in (DE, AT).`,
      behind ?? gapAt(place, words.next),
    );
  }
  const items = new Items();
  for (let next = words.next + 1; ; next += 1) {
    const token = tokens[next];
    if (token === undefined) return unfit('This parenthesis is never closed.', open, true);
    if (token.kind === 'close' && items.end()) return found(items.texts, { end: token.end, next: next + 1 });
    if (token.kind === 'close' || !items.take(token))
      return unfit('Write values with commas between them: (DE, AT).', token, true);
  }
};

/** The values of a list, while its tokens come. */
class Items {
  readonly texts: Text[] = [];
  #item: Text | undefined;

  /** Takes a token. Returns false if the token is not allowed here. */
  take(token: Token): boolean {
    if (token.kind === 'word') {
      return token.text
        .split(',')
        .every((part, index) => (index === 0 || this.end()) && this.#add(part, token));
    }
    if (token.kind !== 'quoted' || token.prefix !== '' || this.#item !== undefined) return false;
    if (token.text.trim() === '') return false;
    this.#item = { ...token, isQuoted: true };
    return true;
  }

  #add(word: string, { start, end }: Span): boolean {
    if (word === '') return true;
    const item = this.#item;
    if (item?.isQuoted) return false;
    this.#item = {
      text: item === undefined ? word : `${item.text} ${word}`,
      isQuoted: false,
      start: item?.start ?? start,
      end,
    };
    return true;
  }

  /** Ends a value. Returns false if there is none. */
  end(): boolean {
    if (this.#item === undefined) return false;
    this.texts.push(this.#item);
    this.#item = undefined;
    return true;
  }
}
