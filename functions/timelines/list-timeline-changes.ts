import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listTimelineChanges as useCase } from '../../shared/timelines/list-timeline-changes.ts';
import { timelineDeps } from './deps.ts';
import { listTimelineChanges } from './entries.ts';

export const handler = apiHandler(listTimelineChanges, () => {
  const deps = timelineDeps();
  return (request) => useCase(deps, request);
});
