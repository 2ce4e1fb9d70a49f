import { apiHandler } from '../../shared/edge/api-handler.ts';
import { drawChart as useCase } from '../../shared/timelines/draw-chart.ts';
import { segmentDeps } from '../segments/deps.ts';
import { drawTimelineChart } from './entries.ts';

export const handler = apiHandler(drawTimelineChart, () => {
  const deps = segmentDeps();
  return (request) => useCase(deps, request);
});
