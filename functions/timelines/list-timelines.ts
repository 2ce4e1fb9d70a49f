import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listTimelines } from '../../shared/timelines/read-timelines.ts';
import { timelineListDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listTimelines, listTimelines, timelineListDeps);
