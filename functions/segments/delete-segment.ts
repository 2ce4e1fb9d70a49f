import { apiHandler } from '../../shared/edge/api-handler.ts';
import { deleteSegment } from '../../shared/segments/change-segments.ts';
import { segmentDeps } from './deps.ts';
import * as entries from './entries.ts';
import { referrersOf } from './referrers.ts';

export const handler = apiHandler(entries.deleteSegment, deleteSegment, (env) => {
  const deps = segmentDeps(env);
  return { ...deps, referrers: referrersOf(deps.table) };
});
