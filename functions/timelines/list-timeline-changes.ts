import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listTimelineChanges } from '../../shared/timelines/list-timeline-changes.ts';
import { timelineListDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listTimelineChanges, listTimelineChanges, timelineListDeps);
