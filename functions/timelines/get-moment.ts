import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getMoment as useCase } from '../../shared/timelines/read-timelines.ts';
import { timelineDeps } from './deps.ts';
import { getMoment } from './entries.ts';

export const handler = apiHandler(getMoment, () => {
  const deps = timelineDeps();
  return (request) => useCase(deps, request);
});
