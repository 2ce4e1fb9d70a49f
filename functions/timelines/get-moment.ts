import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getMoment } from '../../shared/timelines/read-timelines.ts';
import { timelineDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.getMoment, getMoment, (env) => ({
  ...timelineDeps(env),
  baseUrl: env('BASE_URL'),
}));
