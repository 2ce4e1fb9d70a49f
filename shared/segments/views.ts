import { limits } from '../config/limits.ts';
import { creatorView } from '../http/api-user.ts';
import { notFound, type Naming } from '../http/not-found.ts';
import { problems, type Problem } from '../http/problem.ts';
import { inUseProblem, isInUse, type InUse } from '../references/delete-unreferenced.ts';
import { isoTime } from '../runtime/clock.ts';
import type { ConditionSegment } from '../catalogue/conditions/condition-items.ts';
import type { CustomSegment } from '../catalogue/identity.ts';
import type { DeletedReferents } from '../references/references.ts';
import type { CustomRefusal } from './custom-steps.ts';
import { unknownIn } from './resolve-definition.ts';
import type { CustomFacts, Segment, SegmentExpression, SegmentType } from '../catalogue/types.ts';

/** The view of the fields that only custom segments have. */
export const customFactsView = ({ definition, created, created_by, replaced_by }: CustomFacts) => ({
  definition,
  created: isoTime(created),
  created_by: creatorView(created_by),
  replaced_by,
});

/** The view of a custom segment. */
export const customSegmentView = (segment: CustomSegment) => {
  const { id, name, type, custom } = segment;
  return { id, name, type, ...customFactsView(custom) };
};

/** The view of a condition; `progress` tells how far it is prepared, from 0 to 1. A rule that cannot be read is absent. */
export const conditionView = ({ id, name, type, condition }: ConditionSegment, progress: number) => {
  const { where, created, created_by, ready } = condition;
  const shown = {
    ...(where && { where }),
    created: isoTime(created),
    created_by: creatorView(created_by),
    ready,
  };
  return { id, name, type, ...shown, progress: ready ? 1 : Math.floor(progress * 100) / 100 };
};

/** The problem of a condition that the property has no room for. */
export const tooManyConditions = (): Problem =>
  problems.conflict(
    'segment_limit',
    `The property has ${limits.segments.conditionsPerProperty} conditions, or as many segments as it may have.`,
  );

/** The problem of a rule in a stage whose operator has not said yet that every process knows conditions. */
export const conditionsOff = (): Problem =>
  problems.conflict(
    'conditions_off',
    'This stage takes no conditions yet. Its operator sets `conditions` when no upgrade is under way any more.',
  );

/** The problem of a definition that names segments that were deleted in the meantime. */
const deletedProblem = ({ deleted }: DeletedReferents, definition: SegmentExpression): Problem => {
  const ids = new Set(deleted.map(({ id }) => id));
  return problems.invalid(unknownIn(definition, (id) => ids.has(id)));
};

/** The problem of a refused creation of a segment with a definition. */
export const creationProblem = (
  refusal: 'segment_limit' | DeletedReferents,
  definition: SegmentExpression,
): Problem =>
  refusal === 'segment_limit'
    ? problems.conflict('segment_limit', 'The property has reached its limit of segments.')
    : deletedProblem(refusal, definition);

/** The problem of a segment that cannot be edited. */
export const editProblem = (refusal: CustomRefusal, request: Naming): Problem =>
  refusal === 'not_found'
    ? notFound('segment', request)
    : problems.conflict('state_conflict', `${whyKept(refusal.kept)} It cannot be edited.`);

/** The problem of a refused edit of a segment, which gets a definition. */
export const replacementProblem = (
  refusal: CustomRefusal | DeletedReferents,
  request: Naming,
  definition: SegmentExpression,
): Problem =>
  typeof refusal === 'object' && 'deleted' in refusal
    ? deletedProblem(refusal, definition)
    : editProblem(refusal, request);

/** The problem of a refused deletion. */
export const deletionProblem = (refusal: CustomRefusal | InUse, request: Naming): Problem => {
  if (refusal === 'not_found') return notFound('segment', request);
  if (isInUse(refusal)) return inUseProblem(refusal);
  return problems.conflict('state_conflict', `${whyKept(refusal.kept)} It cannot be deleted.`);
};

/** Why a segment is as it is, for a client who wants to edit or delete it. */
const whyKept = ({ type, custom }: Segment): string =>
  typeof custom?.replaced_by === 'number'
    ? `The segment was replaced by segment ${custom.replaced_by}.`
    : reasons[type];

const reasons: Readonly<Record<SegmentType, string>> = {
  tag: 'A tag segment exists as long as a profile has the tag.',
  source: 'A source segment exists as long as a profile has the source label.',
  demographic: 'A demographic segment exists as long as a profile has the value.',
  location: 'A location segment exists as long as a profile has the place.',
  consent: 'A consent segment exists as long as a profile has the statement.',
  brand: 'The brand catalogue decides which brands exist.',
  CATEGORY: 'The brand catalogue decides which categories exist.',
  moment: 'A moment is a part of its timeline.',
  everyone: 'The segment of all profiles always exists.',
  condition: 'The rule of a condition never changes; create another condition.',
  custom: 'The segment has changed.',
};
