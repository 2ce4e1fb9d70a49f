import { apiHandler } from '../../shared/edge/api-handler.ts';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { createChartLink } from '../../shared/timelines/chart-links.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.createChartLink, createChartLink, (env) => ({
  table: tableFromEnv(env),
  scopeOf: scopesFromEnv(env),
  baseUrl: env('BASE_URL'),
}));
