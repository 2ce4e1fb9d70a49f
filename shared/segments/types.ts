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

/**
 * What makes a derived segment the segment it is: kind, full path and exact value (trimmed, NFC). `path` is the node in the
 * tree, outermost first; `name` is what the API shows.
 */
export interface SegmentIdentity {
  readonly type: SegmentType;
  readonly path: readonly string[];
  readonly name: string;
}

/** A segment as the catalogue knows it. */
export interface Segment extends SegmentIdentity {
  readonly id: number;
}

/** One membership that may have changed. */
export interface Pair {
  readonly segment: number;
  readonly ordinal: number;
}
