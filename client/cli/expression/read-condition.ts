/**
 * Reads conditions: `Umsatz >= 500`, `zipcode starts with 04`, `tag "Concert" older than 30 days`.
 *
 * Words in a row are the name of a segment, too. They are a condition only if an operator with a value that fits stands behind
 * their first word.
 */
import { operatorAt, type Piece, sliceOf, type Source, type Words, wordsFrom } from './words.ts';
import { type Operator, spellingsFor } from './operators.ts';
import { type End, type Place, unjoined } from './place.ts';
import { readValue } from './read-value.ts';
import type { Token } from './tokens.ts';
import { type Expression, quoted, segmentTypes, type Span, type SyntaxFault } from './types.ts';
import { type Field, fieldLike, isField, kindOf, OWN, type Where } from './where.ts';

/** What was found at an operator: a condition, a fault, or neither. */
export type Found =
  | {
      readonly kind: 'condition';
      readonly expression: Expression;
      readonly end: number;
      readonly next: number;
    }
  | { readonly kind: 'fault'; readonly fault: SyntaxFault }
  /** No condition. `noCondition` says why, if they look like one. */
  | { readonly kind: 'none'; readonly noCondition?: string };

/** Where a condition may begin. */
interface Beginning extends Source {
  readonly from: number;
  readonly isAfterNot: boolean;
}

/** A field in front of an operator. */
interface Subject extends Span {
  readonly field: Field;
  /** The field as it is written. */
  readonly written: string;
  /** Whether it is a field whatever stands behind it. */
  readonly isSure: boolean;
  /** Whether it is a word without quotes, with which the name of a segment may begin, too. */
  readonly isBare: boolean;
}

/** Reads the condition that begins with a token, if there is one. */
export const readCondition = (beginning: Beginning): Found => {
  const { tokens, from, text } = beginning;
  const [first, second] = tokens.slice(from, from + 2);
  if (first?.kind === 'quoted') return behindQuotes(beginning, first);
  if (first?.kind !== 'word') return none;
  if (first.text !== 'tag' || second?.kind !== 'quoted' || second.prefix !== '')
    return amongWords(beginning, wordsFrom(tokens, from));
  const at = { start: first.start, end: second.end };
  if (second.text.trim() === '') return fault('A tag has a name.', at);
  const named = { field: { tag: second.text }, written: sliceOf(text, at), isSure: true, isBare: false };
  const found = behind(beginning, { ...at, ...named }, wordsFrom(tokens, from + 2), 0);
  if (found !== undefined) return found;
  const name = quoted(second.text);
  return fault(
    `Write tag:${name} for the segment, or tag ${name} within 90 days for the date of the tag.`,
    at,
  );
};

const none: Found = { kind: 'none' };
const fault = (message: string, { start, end }: Span): Found => ({
  kind: 'fault',
  fault: { message, at: { start, end } },
});

/** A condition on a name in quotes. */
const behindQuotes = (
  beginning: Beginning,
  { text, prefix, ...at }: Token & { readonly kind: 'quoted' },
): Found => {
  const words = wordsFrom(beginning.tokens, beginning.from + 1);
  const written = sliceOf(beginning.text, at);
  if (prefix !== '' && prefix !== 'extra_data') {
    return operatorAt(words.pieces, 0) === undefined
      ? none
      : fault(segmentHasNone(written, prefix, text), at);
  }
  if (text.trim() === '') return prefix === '' ? none : fault('A key of the extra data has a name.', at);
  const field = prefix === '' && isField(text) ? text : `${OWN}${text}`;
  const found = behind(beginning, { ...at, field, written, isSure: true, isBare: false }, words, 0);
  if (found !== undefined) return found;
  return prefix === '' ? none : fault(needsOperator(written), at);
};

const needsOperator = (written: string): string =>
  `A condition has an operator behind the field: ${written} exists.`;

const operatorsOf = (field: string): string =>
  `A condition on "${field}" has one of these operators: ${spellingsFor(kindOf(field))}.`;

const segmentHasNone = (written: string, type: string, name: string): string =>
  type.toLowerCase() === 'tag'
    ? `${written} is a segment. Write tag ${quoted(name)} for the date of the tag.`
    : `${written} is a segment, and cannot be compared.`;

/** The condition whose operator stands at a piece; `undefined` if there is no operator. */
const behind = (beginning: Beginning, subject: Subject, words: Words, at: number): Found | undefined => {
  const piece = words.pieces[at];
  const operator = operatorAt(words.pieces, at);
  if (operator === undefined && piece?.isSign !== true) return undefined;
  const name = nameInstead(beginning, subject, words);
  const isClear =
    name === undefined ||
    operator?.takes === 'value' ||
    (subject.isSure && (piece?.isSign === true || operator?.takes === 'two'));
  const hint = isClear ? '' : ` If it is the name of a segment, put it into quotes: ${name}.`;
  if (operator === undefined) {
    return fault(
      `There is no operator "${piece?.text}", only =, !=, <, <=, > and >=.${hint}`,
      piece ?? subject,
    );
  }
  const place: Place = {
    ...beginning,
    field: subject.field,
    subject: subject.written,
    operator,
    words,
    from: at + operator.words.length,
  };
  const value = readValue(place);
  if (value.ok) return conditionOf(beginning, subject, operator, value.value);
  const { message, at: where, isMeant } = value.error;
  if (subject.isSure || isMeant) return fault(`${message}${hint}`, where);
  // Words may be the name of a segment, and `>` stands in the names of categories: `Music > Jazz`.
  return piece?.isSign !== true || piece.text === '>'
    ? { kind: 'none', noCondition: message }
    : fault(`${message}${hint}`, where);
};

/** The words in quotes, as the name of a segment; `undefined` if they cannot be one because of what stands around them. */
const nameInstead = (
  { text, tokens }: Beginning,
  { start, isBare }: Subject,
  { pieces, next }: Words,
): string | undefined => {
  const behindThem = tokens[next]?.kind;
  return isBare && behindThem !== 'quoted' && behindThem !== 'open'
    ? quoted(sliceOf(text, { start, end: pieces.at(-1)?.end ?? start }))
    : undefined;
};

const conditionOf = (
  { text, tokens, from }: Beginning,
  { start, isBare }: Subject,
  operator: Operator,
  { value: where, end, next }: End & { readonly value: Where },
): Found => {
  const at = { start, end };
  const isWords = isBare && tokens.slice(from, next).every(({ kind }) => kind === 'word');
  const part: Expression = { kind: 'condition', where, at, ...(isWords ? { name: sliceOf(text, at) } : {}) };
  const negates = operator.takes === 'value' && operator.negates === true;
  return { kind: 'condition', expression: negates ? { kind: 'not', of: part } : part, end, next };
};

/** The condition among words. Its field is the first of them. */
const amongWords = (beginning: Beginning, words: Words): Found => {
  const { pieces } = words;
  const [first] = pieces;
  if (first === undefined) return none;
  let noCondition = first.isSign ? `A field stands in front of "${first.text}".` : undefined;
  for (let at = 1; at < pieces.length; at += 1) {
    const found = at === 1 ? behindWord(beginning, words, first) : behindWords(beginning, words, at);
    if (found === undefined) continue;
    if (found.kind !== 'none') return found;
    noCondition ??= found.noCondition;
  }
  if (first.text.startsWith(OWN)) return fault(needsOperator(first.text), first);
  if (pieces.length > 1 && isField(first.text)) noCondition ??= operatorsOf(first.text);
  return noCondition === undefined ? none : { kind: 'none', noCondition };
};

/** The condition on the first word; `undefined` if no operator stands behind it. */
const behindWord = (beginning: Beginning, words: Words, { text, ...at }: Piece): Found | undefined => {
  const isOwn = text.startsWith(OWN);
  const isSure = isOwn || isField(text);
  const field = isSure ? text : `${OWN}${text}`;
  const subject = { start: at.start, end: at.end, field, written: text, isSure, isBare: !isOwn };
  const found = behind(beginning, subject, words, 1);
  if (found?.kind !== 'condition' || field !== `${OWN}${text}`) {
    const isNameless = text === OWN && found !== undefined;
    return isNameless ? fault('A key of the extra data has a name.', at) : found;
  }
  const like = fieldLike(text);
  if (like !== undefined)
    return fault(`Write ${like} for the field, or ${OWN}${text} for a key of the extra data.`, at);
  const [, type = '', name = ''] = /^([A-Za-z]+):(.+)$/.exec(text) ?? [];
  const isType = segmentTypes.some((known) => known.toLowerCase() === type.toLowerCase());
  return isType ? fault(segmentHasNone(text, type, name), at) : found;
};

/** What several words in front of an operator are: a field without its quotes, or a part of a name. */
const behindWords = (beginning: Beginning, words: Words, at: number): Found | undefined => {
  const [first, last] = [words.pieces[0], words.pieces[at - 1]];
  if (first === undefined || last === undefined) return undefined;
  const span = { start: first.start, end: last.end };
  const written = sliceOf(beginning.text, span);
  const subject = { ...span, field: `${OWN}${written}`, written, isSure: false, isBare: true };
  const found = behind(beginning, subject, words, at);
  if (found?.kind !== 'condition')
    return found?.kind === 'fault' ? { kind: 'none', noCondition: found.fault.message } : found;
  if (isField(last.text) || last.text.startsWith(OWN)) return fault(unjoined(beginning.text, last), last);
  const field = first.text === 'tag' ? `tag ${quoted(written.slice(4))}` : quoted(written);
  const condition = sliceOf(beginning.text, { start: last.end, end: found.end }).trim();
  const name = nameInstead(beginning, subject, words);
  const orName = name === undefined ? '' : ` for a condition, or ${name} for a segment`;
  return fault(`Write ${field} ${condition}${orName}.`, span);
};
