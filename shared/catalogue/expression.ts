import type { Segment, SegmentExpression } from './types.ts';

/**
 * Whether a profile is a member of an expression. `holds` tells whether it is in a segment; every profile is in
 * `everyone`.
 */
export const isIn = (expression: SegmentExpression, holds: (segment: number) => boolean): boolean => {
  if (typeof expression === 'number') return holds(expression);
  if ('all' in expression) return expression.all.every((part) => isIn(part, holds));
  if ('any' in expression) return expression.any.some((part) => isIn(part, holds));
  return !isIn(expression.not, holds);
};

/**
 * Expands an expression: replaces custom segments by their members, and adds to a retired brand the segment that it was
 * merged into. The members of a custom segment are expanded already and contain no custom segments.
 */
export const expand = (
  expression: SegmentExpression,
  segments: ReadonlyMap<number, Segment>,
): SegmentExpression => {
  const part = (inner: SegmentExpression): SegmentExpression => expand(inner, segments);
  if (typeof expression === 'number') {
    const { custom, retired } = segments.get(expression) ?? {};
    // Until all members have moved to the successor, the rest is still in the retired brand.
    return (
      custom?.members ??
      (retired?.mergedInto === undefined ? expression : { any: [expression, retired.mergedInto] })
    );
  }
  if ('all' in expression) return { all: expression.all.map(part) };
  return 'any' in expression ? { any: expression.any.map(part) } : { not: part(expression.not) };
};
