/** Catalogue types: the types, identities and stored forms of segments, for the catalogue and its readers. */
import type { ApiUser } from '../http/api-types.ts';
import type { Where } from './conditions/shape.ts';

/** Types of segments as the API names them. `everyone` is built in. */
export const segmentTypes = [
  'brand',
  'CATEGORY',
  'tag',
  'source',
  'demographic',
  'location',
  'consent',
  'condition',
  'custom',
  'moment',
  'everyone',
] as const;
export type SegmentType = (typeof segmentTypes)[number];

/** The type of segments that exist only in the index: see `calendars.ts`. */
export type HiddenType = 'calendar';

/**
 * The identity of a derived segment: type, full path and exact value (trimmed, NFC). `path` is the node in the tree,
 * outermost first. `name` is the name in the API.
 */
export interface SegmentIdentity {
  readonly type: SegmentType;
  readonly path: readonly string[];
  readonly name: string;
  /** The key of a brand or category, where it differs from its path and name. It survives renames. */
  readonly key?: string;
  /**
   * The key of the segment that this brand was merged from. The brand takes over its id in properties that have the
   * segment.
   */
  readonly mergedFrom?: string;
  /** The id, where no claim gives it: of `everyone` and of hidden segments. */
  readonly id?: number;
}

/** The identity of a segment in the index, hidden segments included. */
export interface IndexedIdentity extends Omit<SegmentIdentity, 'type'> {
  readonly type: SegmentType | HiddenType;
}

export interface Segment extends SegmentIdentity {
  readonly id: number;
  /** Keys of the brands that took over this id, oldest first. */
  readonly aliases?: readonly string[];
  /** Only for custom segments. */
  readonly custom?: CustomFacts;
  /** Only for conditions. */
  readonly condition?: ConditionFacts;
  /**
   * For a brand or category that has left the catalogue or was merged into another segment: no list, lookup or tree
   * shows it. `mergedInto` is the segment that its members move to.
   */
  readonly retired?: { readonly mergedInto?: number };
}

/** The facts of a custom segment, which a client made of other segments. Only `replaced_by` ever changes. */
export interface CustomFacts {
  readonly definition: SegmentExpression;
  /** The expanded definition, without custom segments, so that the members never depend on other custom segments. */
  readonly members: SegmentExpression;
  /** The moments among the segments of `members`. */
  readonly moments: readonly number[];
  /** Epoch milliseconds. */
  readonly created: number;
  readonly created_by: ApiUser;
  /** The successor that an edit created. */
  readonly replaced_by: number | null;
}

/** The facts of a condition: a segment that a client defines by a rule over the values of profiles. */
export interface ConditionFacts {
  /** As it was sent. It never changes. Undefined for a rule that this release cannot read, which a later one has stored. */
  readonly where: Where | undefined;
  /** Epoch milliseconds. */
  readonly created: number;
  readonly created_by: ApiUser;
  /** Whether the index shows all of its members. Until then nothing can name it. */
  readonly ready: boolean;
}

/** A pair of segment and profile whose membership may have changed. */
export interface Pair {
  readonly segment: number;
  readonly ordinal: number;
}

/**
 * An expression over segments: one segment, or a combination. Its members are the subject of a page, a count or an
 * export.
 */
export type SegmentExpression =
  | number
  | { readonly all: readonly SegmentExpression[] }
  | { readonly any: readonly SegmentExpression[] }
  | { readonly not: SegmentExpression };
