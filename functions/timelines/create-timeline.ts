import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createTimeline as useCase } from '../../shared/timelines/create-timeline.ts';
import { intervalMs, timelineDeps } from './deps.ts';
import { createTimeline } from './entries.ts';

export const handler = apiHandler(createTimeline, () => {
  const deps = { ...timelineDeps(), intervalMs: intervalMs() };
  return (request) => useCase(deps, request);
});
