import type { UseCase } from '../http/api-types.ts';
import { err, ok } from '../runtime/result.ts';
import type { DeleteDeps } from '../references/delete-unreferenced.ts';
import { refusalProblem } from './views.ts';
import { removeCustomSegment } from './custom-segments.ts';

/** `DELETE segments/{segment_id}`: deletes a current custom segment without referrers; 409 for any other segment. */
export const deleteSegment: UseCase<DeleteDeps> = async (deps, { property, path }) => {
  const id = Number(path['segment_id']);
  const removed = await removeCustomSegment(deps, property.id, id);
  return removed.ok
    ? ok({ status: 200, body: { id } })
    : err(refusalProblem(removed.error, { property, path }));
};
