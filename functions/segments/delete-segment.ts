import { apiHandler } from '../../shared/edge/api-handler.ts';
import { deleteSegmentUseCase } from '../../shared/segments/delete-segment.ts';
import { segmentDeps } from './deps.ts';
import { deleteSegment } from './entries.ts';
import { referrersOf } from './referrers.ts';

export const handler = apiHandler(deleteSegment, () => {
  const deps = segmentDeps();
  return deleteSegmentUseCase({ ...deps, referrers: referrersOf(deps.table) });
});
