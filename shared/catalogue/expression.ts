import type { Segment, SegmentExpression } from './types.ts';

/** Whether somebody is in a expression, by the segments that they are in. Everybody is in `everyone`. */
export const isIn = (expression: SegmentExpression, holds: (segment: number) => boolean): boolean => {
  if (typeof expression === 'number') return holds(expression);
  if ('all' in expression) return expression.all.every((part) => isIn(part, holds));
  if ('any' in expression) return expression.any.some((part) => isIn(part, holds));
  return !isIn(expression.not, holds);
};

/**
 * A expression with the custom segments in it written out, and beside a brand that is no more the one that has its people. What
 * has been written out holds no more custom ones.
 */
export const expand = (
  expression: SegmentExpression,
  segments: ReadonlyMap<number, Segment>,
): SegmentExpression => {
  const part = (inner: SegmentExpression): SegmentExpression => expand(inner, segments);
  if (typeof expression === 'number') {
    const { custom, retired } = segments.get(expression) ?? {};
    // Until all of its people are in the other, the rest is still in it.
    return (
      custom?.members ??
      (retired?.mergedInto === undefined ? expression : { any: [expression, retired.mergedInto] })
    );
  }
  if ('all' in expression) return { all: expression.all.map(part) };
  return 'any' in expression ? { any: expression.any.map(part) } : { not: part(expression.not) };
};
