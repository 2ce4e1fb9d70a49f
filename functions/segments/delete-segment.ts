import { apiHandler } from '../../shared/edge/api-handler.ts';
import { deleteSegmentUseCase } from '../../shared/segments/delete-segment.ts';
import { segmentDeps } from './deps.ts';
import { deleteSegment } from './entries.ts';
import { usersOf } from './users.ts';

export const handler = apiHandler(deleteSegment, () => {
  const deps = segmentDeps();
  return deleteSegmentUseCase({ ...deps, users: usersOf(deps.table) });
});
