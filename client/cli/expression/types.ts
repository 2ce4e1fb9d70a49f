/** Types of the expression language, in which `tidemark segment create` describes a segment in words. */

/** The types of segments that the API has, for names such as `tag:Jazz`. */
export const segmentTypes = [
  'tag',
  'source',
  'demographic',
  'location',
  'consent',
  'brand',
  'CATEGORY',
  'custom',
  'moment',
  'everyone',
] as const;
export type SegmentType = (typeof segmentTypes)[number];

/** A segment in an expression: its id, or its name, with or without its type. */
export type SegmentRef =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'name'; readonly name: string; readonly type?: SegmentType };

/** An expression. `all` and `any` have two parts or more. */
export type Expression =
  | { readonly kind: 'segment'; readonly segment: SegmentRef; readonly at: Span }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression };

/** A part of the text of an expression: the index of its first UTF-16 unit and of the unit after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The sentence about an expression that compares a field with a value. */
export const noConditions =
  'Conditions such as > and = are not possible yet; segments are made of tags, places, ages, consent and the like.';

/** Whether a word of an expression compares: `age > 30`, `abo="J"`. */
export const compares = (word: string): boolean => /[<>=≤≥]/.test(word);

/** Why a text is no expression: one sentence, and the place in the text. */
export interface SyntaxFault {
  readonly message: string;
  readonly at: Span;
}
