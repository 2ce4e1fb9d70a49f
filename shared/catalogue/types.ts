import type { ApiUser } from '../http/api-types.ts';

/** Kinds of segment as the API names them. `everyone` is built in. */
export const segmentTypes = [
  'brand',
  'CATEGORY',
  'tag',
  'source',
  'demographic',
  'location',
  'custom',
  'moment',
  'everyone',
] as const;
export type SegmentType = (typeof segmentTypes)[number];

/** Kinds of segment that only the index knows: those of a birth month hold whom a day of it may make a year older. */
export type HiddenType = 'birth-month';

/**
 * What makes a derived segment the segment it is: kind, full path and exact value (trimmed, NFC). `path` is the node in the
 * tree, outermost first; `name` is what the API shows.
 */
export interface SegmentIdentity {
  readonly type: SegmentType;
  readonly path: readonly string[];
  readonly name: string;
  /** What a segment of the brand catalogue goes by whatever it is called, where that is not its path and name. */
  readonly key?: string;
  /** The key of the page's segment that this one comes from, and whose id it takes over where there is one. */
  readonly mergedFrom?: string;
}

/** What makes a segment of the index, hidden ones included. */
export interface IndexedIdentity extends Omit<SegmentIdentity, 'type'> {
  readonly type: SegmentType | HiddenType;
}

/** A segment as the catalogue knows it. */
export interface Segment extends SegmentIdentity {
  readonly id: number;
  /** Keys of brands that took over this id, in the order in which they did. */
  readonly aliases?: readonly string[];
  /** Of a custom segment only. */
  readonly custom?: CustomFacts;
  /**
   * Of a brand or category that is no more, or goes by another id now: in no list, lookup or tree. `into` is the segment
   * that has its people.
   */
  readonly retired?: { readonly mergedInto?: number };
}

/** What a client made of other segments. Only `replaced_by` ever changes. */
export interface CustomFacts {
  readonly definition: SegmentExpression;
  /** The same with the custom segments that it names written out, so that whom it holds never depends on them. */
  readonly members: SegmentExpression;
  /** Moments among the segments of `members`. */
  readonly moments: readonly number[];
  /** Epoch milliseconds. */
  readonly created: number;
  readonly created_by: ApiUser;
  /** The segment that an edit made in its place. */
  readonly replaced_by: number | null;
}

/** One membership that may have changed. */
export interface Pair {
  readonly segment: number;
  readonly ordinal: number;
}

/** Whom a page, a count or an export is about: the members of a segment, or of a combination of segments. */
export type SegmentExpression =
  | number
  | { readonly all: readonly SegmentExpression[] }
  | { readonly any: readonly SegmentExpression[] }
  | { readonly not: SegmentExpression };
