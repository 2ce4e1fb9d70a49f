import type { NoQuery, UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import { err, ok } from '../runtime/result.ts';
import type { ReferenceDeps } from '../references/references.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { creationProblem, customSegmentView } from './views.ts';
import { addCustomSegment } from './custom-segments.ts';
import { resolveDefinition } from './resolve-definition.ts';
import type { SegmentBody } from './schemas.ts';
import { requestIdentityOf } from '../table/idempotent-ids.ts';

export interface CustomDeps extends ReferenceDeps {
  readonly catalogue: Pick<SegmentCatalogue, 'find' | 'getMany'>;
}

/**
 * `POST segments`: creates a custom segment. 422 when its definition names an unknown
 * segment or a name that several segments have, 409 when the segment
 * quota is used up. A repeated request with the same `Idempotency-Key` gets the segment that the first request created.
 */
export const createSegment: UseCase<CustomDeps, NoQuery, SegmentBody> = async (deps, request) => {
  const { property, user, now } = request;
  const { name, definition } = request.body;
  const resolved = await resolveDefinition(deps, property.id, definition);
  if (!resolved.ok) return err(problems.invalid(resolved.error));
  const { referents, ...facts } = resolved.value;
  const draft = { ...facts, name, created: now, created_by: user };
  const made = await addCustomSegment(deps, property.id, {
    draft,
    referents,
    requestIdentity: requestIdentityOf(request),
  });
  return made.ok
    ? ok({ status: 201, body: customSegmentView(made.value) })
    : err(creationProblem(made.error, facts.definition));
};
