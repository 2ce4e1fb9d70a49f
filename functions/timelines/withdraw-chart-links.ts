import { apiHandler } from '../../shared/edge/api-handler.ts';
import { jitteredPause } from '../../shared/runtime/pause.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { withdrawChartLinks } from '../../shared/timelines/chart-links.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.withdrawChartLinks, withdrawChartLinks, (env) => ({
  table: tableFromEnv(env),
  pause: jitteredPause,
}));
