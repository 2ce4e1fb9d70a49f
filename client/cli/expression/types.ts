/** Types of the expression language, in which `tidemark segment create` describes a segment in words. */
import type { Where } from './where.ts';

/** The types of segments that the API has, for names such as `tag:Jazz`. */
export const segmentTypes = [
  'tag',
  'source',
  'demographic',
  'location',
  'consent',
  'brand',
  'CATEGORY',
  'condition',
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
  | SegmentPart
  | ConditionPart
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression };

/** A segment in an expression. */
export interface SegmentPart {
  readonly kind: 'segment';
  readonly segment: SegmentRef;
  readonly at: Span;
  /** The name looks like a condition: one sentence that says why it is none. */
  readonly noCondition?: string;
}

/** A condition in an expression. */
export interface ConditionPart {
  readonly kind: 'condition';
  readonly where: Where;
  readonly at: Span;
  /** The same words as the name of a segment, where the text has no quotes that tell them apart. */
  readonly name?: string;
}

/** A part of the text of an expression: the index of its first UTF-16 unit and of the unit after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Why a text is no expression: one sentence, and the place in the text. */
export interface SyntaxFault {
  readonly message: string;
  readonly at: Span;
}

/** A text in quotes, as expressions have it. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
