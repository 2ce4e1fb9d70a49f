import { getCollection as useCase } from '../../shared/collections/read-collections.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { collectionDeps } from './deps.ts';
import { getCollection } from './entries.ts';

export const handler = apiHandler(getCollection, () => {
  const deps = collectionDeps();
  return (request) => useCase(deps, request);
});
