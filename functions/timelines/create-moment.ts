import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createMoment as useCase } from '../../shared/timelines/create-moment.ts';
import { intervalMs, timelineDeps } from './deps.ts';
import { createMoment } from './entries.ts';

export const handler = apiHandler(createMoment, () => {
  const deps = { ...timelineDeps(), intervalMs: intervalMs() };
  return (request) => useCase(deps, request);
});
