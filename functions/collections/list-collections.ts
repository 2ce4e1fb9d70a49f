import { propertyScope } from '../../shared/properties/property-keys.ts';
import { listCollections as useCase } from '../../shared/collections/read-collections.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { env } from '../../shared/runtime/env.ts';
import { collectionDeps } from './deps.ts';
import { listCollections } from './entries.ts';

export const handler = apiHandler(listCollections, () => {
  const deps = { ...collectionDeps(), scopeOf: propertyScope, baseUrl: env('BASE_URL') };
  return (request) => useCase(deps, request);
});
