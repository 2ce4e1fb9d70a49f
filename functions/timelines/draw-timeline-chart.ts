import { apiHandler } from '../../shared/edge/api-handler.ts';
import { drawTimelineChart as useCase } from '../../shared/timelines/draw-timeline-chart.ts';
import { segmentDeps } from '../segments/deps.ts';
import { drawTimelineChart } from './entries.ts';

export const handler = apiHandler(drawTimelineChart, () => {
  const deps = segmentDeps();
  return (request) => useCase(deps, request);
});
