import { apiHandler } from '../../shared/edge/api-handler.ts';
import { renameTimeline as useCase } from '../../shared/timelines/rename-timeline.ts';
import { segmentDeps } from '../segments/deps.ts';
import { renameTimeline } from './entries.ts';

export const handler = apiHandler(renameTimeline, () => {
  const deps = segmentDeps();
  return (request) => useCase(deps, request);
});
