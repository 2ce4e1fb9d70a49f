/** Places: an operator among words. The reader of its value returns the value, or says why it does not fit. */
import { failed, ok, type Result } from '../result.ts';
import { type Operator, spellingOf } from './operators.ts';
import type { Span, SyntaxFault } from './types.ts';
import type { Field } from './where.ts';
import { sliceOf, type Source, type Words } from './words.ts';

/** An operator among words, with the field before it. */
export interface Place<Kind extends Operator = Operator> extends Source {
  readonly field: Field;
  /** The field as it is written. */
  readonly subject: string;
  readonly operator: Kind;
  readonly words: Words;
  /** The piece behind the operator. */
  readonly from: number;
  /** Whether `not` comes before the field. */
  readonly isAfterNot: boolean;
}

/** A place whose operator takes a value of one kind. */
export type Taking<Takes extends Operator['takes']> = Place<Extract<Operator, { readonly takes: Takes }>>;

/** Why words are no condition. */
export interface Unfit extends SyntaxFault {
  /** Whether they are meant as one all the same: their value is nearly right. */
  readonly isMeant: boolean;
}

/** The end of a value in the text, and the token behind it. */
export interface End {
  readonly end: number;
  readonly next: number;
}

/** A value behind an operator, or why there is none that fits. */
export type Found<Value> = Result<End & { readonly value: Value }, Unfit>;

/** A value that was found. */
export const found = <Value>(value: Value, { end, next }: End): Found<Value> => ok({ value, end, next });

/** Why words are no condition. */
export const unfit = (message: string, at: Span, isMeant = false): Result<never, Unfit> =>
  failed({ message, at, isMeant });

/** The operator, as it is written in sentences. */
export const nameOf = ({ operator }: Place): string => `"${spellingOf(operator)}"`;

/** Where the operator stands. */
export const operatorSpan = ({ words, from, operator }: Place): Span => ({
  start: words.pieces[from - operator.words.length]?.start ?? 0,
  end: words.pieces[from - 1]?.end ?? 0,
});

/** Where something is missing: the token that stands there instead, or the end of the text. */
export const gapAt = ({ text, tokens }: Source, next: number): Span =>
  tokens[next] ?? { start: text.length, end: text.length + 1 };

/** The words behind the operator, and where they stand. */
export const wordsBehind = ({
  words: { pieces },
  from,
  text,
}: Place): (Span & { readonly text: string }) | undefined => {
  const [first, last] = [pieces[from], pieces.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const at = { start: first.start, end: last.end };
  return { ...at, text: sliceOf(text, at) };
};

/** Whether a value in quotes stands where words should. */
export const isQuotedNext = ({ tokens, words }: Place): boolean => tokens[words.next]?.kind === 'quoted';

/** The sentence about something that stands behind a finished part. */
export const unjoined = (text: string, { start, end }: Span): string => {
  const shown = text.slice(start, end);
  return `Write "and" or "or" before ${shown.startsWith('"') ? shown : `"${shown}"`}.`;
};
