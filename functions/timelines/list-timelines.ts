import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listTimelines as useCase } from '../../shared/timelines/read-timelines.ts';
import { timelineDeps } from './deps.ts';
import { listTimelines } from './entries.ts';

export const handler = apiHandler(listTimelines, () => {
  const deps = timelineDeps();
  return (request) => useCase(deps, request);
});
