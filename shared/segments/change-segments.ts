/** Change segments: the use cases that create, replace and delete segments. */
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { isValueSegment } from '../catalogue/identity.ts';
import { parseSegmentType } from '../catalogue/segment-items.ts';
import type { ApiRequest, NoQuery, UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import type { DeleteDeps } from '../references/delete-unreferenced.ts';
import type { ReferenceDeps } from '../references/references.ts';
import { err, ok } from '../runtime/result.ts';
import { requestIdentityOf } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import { addCustomSegment, removeCustomSegment, replaceCustomSegment } from './custom-segments.ts';
import { readCurrentCustom } from './custom-steps.ts';
import { removeValueSegment } from './remove-value-segment.ts';
import { resolveDefinition } from './resolve-definition.ts';
import type { SegmentBody } from './schemas.ts';
import {
  creationProblem,
  customSegmentView,
  deletionProblem,
  editProblem,
  replacementProblem,
} from './views.ts';

export interface CustomDeps extends ReferenceDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'getMany'>;
}

/** The segment that a body describes; 422 when its definition names an unknown segment, or a name of several segments. */
const draftOf = async (
  deps: CustomDeps,
  {
    property,
    body: { name, definition },
    user,
    now,
  }: Pick<ApiRequest<NoQuery, SegmentBody>, 'property' | 'body' | 'user' | 'now'>,
) => {
  const resolved = await resolveDefinition(deps, property.id, definition);
  if (!resolved.ok) return err(problems.invalid(resolved.error));
  const { referents, ...facts } = resolved.value;
  return ok({ draft: { ...facts, name, created: now, created_by: user }, referents });
};

/**
 * `POST segments`: creates a custom segment. 409 when the segment quota is used up. A repeated request with the same
 * `Idempotency-Key` gets the segment that the first request created.
 */
export const createSegment: UseCase<CustomDeps, NoQuery, SegmentBody> = async (deps, request) => {
  const described = await draftOf(deps, request);
  if (!described.ok) return described;
  const requestIdentity = requestIdentityOf(request);
  const made = await addCustomSegment(deps, request.property.id, { ...described.value, requestIdentity });
  return made.ok
    ? ok({ status: 201, body: customSegmentView(made.value) })
    : err(creationProblem(made.error, described.value.draft.definition));
};

/**
 * `PUT segments/{segment_id}`: edits a custom segment by creating a successor with a new id. The old segment keeps its
 * id and its members. 409 for a segment that is not a current custom segment.
 */
export const replaceSegment: UseCase<CustomDeps, NoQuery, SegmentBody> = async (deps, request) => {
  const { property, path } = request;
  const old = Number(path['segment_id']);
  const current = await readCurrentCustom(deps.table, property.id, old);
  if (!current.ok) return err(editProblem(current.error, { property, path }));
  const described = await draftOf(deps, request);
  if (!described.ok) return described;
  const made = await replaceCustomSegment(deps, property.id, old, described.value);
  return made.ok
    ? ok({ status: 200, body: customSegmentView(made.value) })
    : err(replacementProblem(made.error, { property, path }, described.value.draft.definition));
};

/**
 * `DELETE segments/{segment_id}`: deletes a segment without referrers: a current custom segment, or the segment of a
 * value that no profile has. 409 for any other segment.
 */
export const deleteSegment: UseCase<DeleteDeps> = async (deps, { property, path, now }) => {
  const id = Number(path['segment_id']);
  const type = parseSegmentType(await deps.table.get(keys.segment(property.id, id)));
  const removed =
    type !== undefined && isValueSegment({ type })
      ? await removeValueSegment(deps, property.id, id, { now })
      : await removeCustomSegment(deps, property.id, id, now);
  return removed.ok
    ? ok({ status: 200, body: { id } })
    : err(deletionProblem(removed.error, { property, path }));
};
