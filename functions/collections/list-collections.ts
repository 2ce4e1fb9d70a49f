import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { listCollections } from '../../shared/collections/read-collections.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { collectionDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listCollections, listCollections, (env) => ({
  ...collectionDeps(env),
  scopeOf: scopesFromEnv(env),
  baseUrl: env('BASE_URL'),
}));
