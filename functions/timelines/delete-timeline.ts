import { apiHandler } from '../../shared/edge/api-handler.ts';
import { deleteTimeline as useCase } from '../../shared/timelines/delete-timeline.ts';
import { segmentDeps } from '../segments/deps.ts';
import { deleteTimeline } from './entries.ts';

export const handler = apiHandler(deleteTimeline, () => {
  const deps = segmentDeps();
  return (request) => useCase(deps, request);
});
