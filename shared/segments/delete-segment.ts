import type { UseCase } from '../http/api-types.ts';
import { err, ok } from '../runtime/result.ts';
import { parseSegmentType } from '../catalogue/segment-items.ts';
import { isValueSegment } from '../catalogue/identity.ts';
import type { DeleteDeps } from '../references/delete-unreferenced.ts';
import { keys } from '../table/keys.ts';
import { deletionProblem } from './views.ts';
import { removeCustomSegment } from './custom-segments.ts';
import { removeValueSegment } from './remove-value-segment.ts';

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
