import { notFound, type Naming } from '../http/not-found.ts';
import { problems, type Problem } from '../http/problem.ts';
import { inUseProblem, isInUse, type InUse } from '../references/delete-unreferenced.ts';
import { isoTime } from '../runtime/clock.ts';
import type { CustomSegment } from '../catalogue/custom-items.ts';
import type { DeletedReferents } from './custom-segments.ts';
import type { CustomRefusal } from './custom-steps.ts';
import { unknownIn } from './resolve-definition.ts';
import type { CustomFacts, SegmentExpression } from '../catalogue/types.ts';

/** The view of the fields that only custom segments have. */
export const customFactsView = ({ definition, created, created_by, replaced_by }: CustomFacts) => ({
  definition,
  created: isoTime(created),
  created_by,
  replaced_by,
});

/** The view of a custom segment. */
export const customSegmentView = (segment: CustomSegment) => {
  const { id, name, type, custom } = segment;
  return { id, name, type, ...customFactsView(custom) };
};

/**
 * The problem of a refused creation, edit or deletion. `definition` locates referents that were deleted in the
 * meantime.
 */
export const refusalProblem = (
  refusal: CustomRefusal | InUse | 'segment_limit' | DeletedReferents,
  request: Naming,
  definition: SegmentExpression = { any: [] },
): Problem => {
  if (isInUse(refusal)) return inUseProblem(refusal);
  if (typeof refusal === 'object') {
    const ids = new Set(refusal.deleted.map(({ id }) => id));
    return problems.invalid(unknownIn(definition, (id) => ids.has(id)));
  }
  return refusal === 'not_found'
    ? notFound('segment', request)
    : problems.conflict(refusal, sentences[refusal]);
};

const sentences = {
  state_conflict: 'Only a custom segment that has not been replaced can be edited or deleted.',
  segment_limit: 'The property has reached its limit of segments.',
} as const;
