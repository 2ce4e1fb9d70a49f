import { apiHandler } from '../../shared/edge/api-handler.ts';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { listErasures } from '../../shared/retention/read-erasures.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listErasures, listErasures, (env) => ({
  table: tableFromEnv(env),
  scopeOf: scopesFromEnv(env),
  baseUrl: env('BASE_URL'),
}));
