import { apiHandler } from '../../shared/edge/api-handler.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { createChartLink } from '../../shared/timelines/chart-links.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.createChartLink, createChartLink, (env) => ({
  table: tableFromEnv(env),
  ...linkDeps(env),
}));
