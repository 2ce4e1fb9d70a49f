import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createTimeline } from '../../shared/timelines/create-timeline.ts';
import { intervalMs, makeDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.createTimeline, createTimeline, (env) => ({
  ...makeDeps(env),
  intervalMs: intervalMs(env),
}));
