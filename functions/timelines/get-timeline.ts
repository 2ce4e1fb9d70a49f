import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getTimeline } from '../../shared/timelines/read-timelines.ts';
import { timelineListDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.getTimeline, getTimeline, timelineListDeps);
