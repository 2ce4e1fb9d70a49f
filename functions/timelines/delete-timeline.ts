import { apiHandler } from '../../shared/edge/api-handler.ts';
import { deleteTimeline } from '../../shared/timelines/change-timelines.ts';
import { timelineDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.deleteTimeline, deleteTimeline, timelineDeps);
