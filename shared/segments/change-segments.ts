/** Change segments: the use cases that create, replace and delete segments. */
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import type { SentDefinition } from '../catalogue/definition.ts';
import type { Where } from '../catalogue/conditions/shape.ts';
import { conditionIdentity } from '../catalogue/conditions/condition-items.ts';
import { propagationMs } from '../catalogue/look.ts';
import { identityKey, isValueSegment } from '../catalogue/identity.ts';
import { parseSegmentType } from '../catalogue/segment-items.ts';
import type { SegmentType } from '../catalogue/types.ts';
import type { ApiAnswer, ApiRequest, NoQuery, UseCase } from '../http/api-types.ts';
import { permit } from '../http/permit.ts';
import { problems, type Problem } from '../http/problem.ts';
import type { DeleteDeps } from '../references/delete-unreferenced.ts';
import type { ReferenceDeps } from '../references/references.ts';
import { isUnavailable } from '../runtime/aws-errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { unless } from '../runtime/unless.ts';
import { requestIdentityOf } from '../table/idempotent-ids.ts';
import { keys } from '../table/keys.ts';
import { addCondition, readCondition, removeCondition, renameCondition } from './conditions.ts';
import { addCustomSegment, removeCustomSegment, replaceCustomSegment } from './custom-segments.ts';
import { readCurrentCustom } from './custom-steps.ts';
import { removeValueSegment } from './remove-value-segment.ts';
import { formOf } from './definition-form.ts';
import { resolveDefinition } from './resolve-definition.ts';
import { progressOf, readSeen } from './prepare-conditions.ts';
import type { SegmentBody } from './schemas.ts';
import {
  conditionsOff,
  conditionView,
  creationProblem,
  customSegmentView,
  deletionProblem,
  editProblem,
  replacementProblem,
  tooManyConditions,
} from './views.ts';

export interface CustomDeps extends ReferenceDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'getMany'>;
}

/** `takesConditions` says whether every process of the stage knows conditions. */
export interface CreateDeps extends CustomDeps {
  readonly takesConditions: boolean;
  readonly clock: Clock;
  /** Covers clock skew and writes in flight. */
  readonly marginMs: number;
}

type SegmentRequest = ApiRequest<NoQuery, SegmentBody>;

/** What a definition describes; 422 when it names an unknown segment, or a name of several segments. */
const draftOf = async (
  deps: CustomDeps,
  { property, body: { name }, user, now }: SegmentRequest,
  definition: SentDefinition,
) => {
  const resolved = await resolveDefinition(deps, property.id, definition);
  if (!resolved.ok) return err(problems.invalid(resolved.error));
  const { referents, ...facts } = resolved.value;
  return ok({ draft: { ...facts, name, created: now, created_by: user }, referents });
};

/**
 * `POST segments`: creates a custom segment or a condition. 409 when the segment quota is used up. A repeated request with
 * the same `Idempotency-Key` gets the segment that the first request created; a rule that has a condition already answers
 * 200 with it, and 403 meets a rule of a token that may not see people. A stage that takes no conditions refuses every rule.
 */
export const createSegment: UseCase<CreateDeps, NoQuery, SegmentBody> = async (deps, request) => {
  const { property, body, user, now } = request;
  const form = formOf(body);
  if (!form.ok) return form;
  if ('where' in form.value) {
    // A rule asks about any value of a person, and its count answers. Other segments name what is in the catalogue.
    const permitted = permit(request, 'people.read');
    if (!permitted.ok) return permitted;
    if (!deps.takesConditions) return err(conditionsOff());
    const draft = { name: body.name, where: form.value.where, created: now, created_by: user };
    const added = await addCondition(deps, property.id, draft, propagationMs(deps.marginMs));
    if (!added.ok) return err(tooManyConditions());
    const { segment, isNew } = added.value;
    // Its preparation waits from here on, also where an earlier request died that had made it. Where this fails, the first
    // look notes the time: never a wrong one, but the wait begins later.
    await unless(isUnavailable, () => readSeen(deps, property.id));
    const progress = isNew ? 0 : await progressOf(deps.table, property.id, segment.id, now);
    return ok({ status: isNew ? 201 : 200, body: conditionView(segment, progress) });
  }
  const described = await draftOf(deps, request, form.value.definition);
  if (!described.ok) return described;
  const requestIdentity = requestIdentityOf(request);
  const made = await addCustomSegment(deps, property.id, { ...described.value, requestIdentity });
  return made.ok
    ? ok({ status: 201, body: customSegmentView(made.value) })
    : err(creationProblem(made.error, described.value.draft.definition));
};

/**
 * `PUT segments/{segment_id}`: edits a custom segment by creating a successor with a new id. The old segment keeps its
 * id and its members. A condition gets another name; its rule must be the one that it has. 409 for a segment that is
 * neither, or not current.
 */
export const replaceSegment: UseCase<CustomDeps, NoQuery, SegmentBody> = async (deps, request) => {
  const { property, path, body } = request;
  const old = Number(path['segment_id']);
  const form = formOf(body);
  if (!form.ok) return form;
  if ('where' in form.value) return rename(deps, request, form.value.where);
  const current = await readCurrentCustom(deps.table, property.id, old);
  if (!current.ok) return err(editProblem(current.error, { property, path }));
  const described = await draftOf(deps, request, form.value.definition);
  if (!described.ok) return described;
  const made = await replaceCustomSegment(deps, property.id, old, described.value);
  return made.ok
    ? ok({ status: 200, body: customSegmentView(made.value) })
    : err(replacementProblem(made.error, { property, path }, described.value.draft.definition));
};

const rename = async (
  deps: CustomDeps,
  { property, path, body: { name }, now }: SegmentRequest,
  where: Where,
): Promise<Result<ApiAnswer, Problem>> => {
  const id = Number(path['segment_id']);
  const seen = await readCondition(deps.table, property.id, id);
  if (!seen.ok) return err(editProblem(seen.error, { property, path }));
  const { segment } = seen.value;
  if (identityKey(segment) !== identityKey(conditionIdentity(name, where)))
    return err(editProblem({ kept: segment }, { property, path }));
  const renamed = await renameCondition(deps, property.id, id, name);
  if (!renamed.ok) return err(editProblem(renamed.error, { property, path }));
  const progress = await progressOf(deps.table, property.id, id, now);
  return ok({ status: 200, body: conditionView(renamed.value, progress) });
};

const removeOf = (
  deps: DeleteDeps,
  {
    property,
    id,
    type,
    now,
  }: {
    readonly property: number;
    readonly id: number;
    readonly type: SegmentType | undefined;
    readonly now: number;
  },
) => {
  if (type === 'condition') return removeCondition(deps, property, id, now);
  return type !== undefined && isValueSegment({ type })
    ? removeValueSegment(deps, property, id, { now })
    : removeCustomSegment(deps, property, id, now);
};

/**
 * `DELETE segments/{segment_id}`: deletes a segment without referrers: a current custom segment, a condition, or the segment
 * of a value that no profile has. 409 for any other segment.
 */
export const deleteSegment: UseCase<DeleteDeps> = async (deps, { property, path, now }) => {
  const id = Number(path['segment_id']);
  const type = parseSegmentType(await deps.table.get(keys.segment(property.id, id)));
  const removed = await removeOf(deps, { property: property.id, id, type, now });
  return removed.ok
    ? ok({ status: 200, body: { id } })
    : err(deletionProblem(removed.error, { property, path }));
};
