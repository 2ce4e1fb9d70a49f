import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createMoment } from '../../shared/timelines/add-moment.ts';
import { intervalMs, makeDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.createMoment, createMoment, (env) => ({
  ...makeDeps(env),
  intervalMs: intervalMs(env),
}));
