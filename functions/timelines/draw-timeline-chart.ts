import { apiHandler } from '../../shared/edge/api-handler.ts';
import { drawTimelineChart } from '../../shared/timelines/draw-timeline-chart.ts';
import { timelineDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.drawTimelineChart, drawTimelineChart, timelineDeps);
