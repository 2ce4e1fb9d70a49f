import type { Segment, SegmentExpression } from './types.ts';

/** Whether somebody is in a target, by the segments that they are in. Everybody is in `everyone`. */
export const isIn = (target: SegmentExpression, holds: (segment: number) => boolean): boolean => {
  if (typeof target === 'number') return holds(target);
  if ('all' in target) return target.all.every((part) => isIn(part, holds));
  if ('any' in target) return target.any.some((part) => isIn(part, holds));
  return !isIn(target.not, holds);
};

/**
 * A target with the custom segments in it written out, and beside a brand that is no more the one that has its people. What
 * has been written out holds no more custom ones.
 */
export const expand = (
  target: SegmentExpression,
  segments: ReadonlyMap<number, Segment>,
): SegmentExpression => {
  const part = (inner: SegmentExpression): SegmentExpression => expand(inner, segments);
  if (typeof target === 'number') {
    const { custom, retired } = segments.get(target) ?? {};
    // Until all of its people are in the other, the rest is still in it.
    return (
      custom?.members ?? (retired?.mergedInto === undefined ? target : { any: [target, retired.mergedInto] })
    );
  }
  if ('all' in target) return { all: target.all.map(part) };
  return 'any' in target ? { any: target.any.map(part) } : { not: part(target.not) };
};
