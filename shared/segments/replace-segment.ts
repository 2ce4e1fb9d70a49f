import type { NoQuery, UseCase } from '../http/api-types.ts';
import { problems } from '../http/problem.ts';
import { err, ok } from '../runtime/result.ts';
import type { CustomDeps } from './create-segment.ts';
import { customSegmentView, editProblem, replacementProblem } from './views.ts';
import { replaceCustomSegment } from './custom-segments.ts';
import { readCurrentCustom } from './custom-steps.ts';
import { resolveDefinition } from './resolve-definition.ts';
import type { SegmentBody } from './schemas.ts';

/**
 * `PUT segments/{segment_id}`: edits a custom segment by creating a successor with a new id. The old segment keeps its
 * id and its members. 409 for a segment that is not a current custom segment.
 */
export const replaceSegment: UseCase<CustomDeps, NoQuery, SegmentBody> = async (
  deps,
  { property, path, body: { name, definition }, user, now },
) => {
  const old = Number(path['segment_id']);
  const current = await readCurrentCustom(deps.table, property.id, old);
  if (!current.ok) return err(editProblem(current.error, { property, path }));
  const resolved = await resolveDefinition(deps, property.id, definition);
  if (!resolved.ok) return err(problems.invalid(resolved.error));
  const { referents, ...facts } = resolved.value;
  const draft = { ...facts, name, created: now, created_by: user };
  const made = await replaceCustomSegment(deps, property.id, old, { draft, referents });
  return made.ok
    ? ok({ status: 200, body: customSegmentView(made.value) })
    : err(replacementProblem(made.error, { property, path }, facts.definition));
};
