import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getTimeline as useCase } from '../../shared/timelines/read-timelines.ts';
import { timelineDeps } from './deps.ts';
import { getTimeline } from './entries.ts';

export const handler = apiHandler(getTimeline, () => {
  const deps = timelineDeps();
  return (request) => useCase(deps, request);
});
