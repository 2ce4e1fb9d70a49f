import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listObjections } from '../../shared/ingest/objections.ts';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './objection-entries.ts';

export const handler = apiHandler(entries.listObjections, listObjections, (env) => ({
  table: tableFromEnv(env),
  scopeOf: scopesFromEnv(env),
  baseUrl: env('BASE_URL'),
}));
