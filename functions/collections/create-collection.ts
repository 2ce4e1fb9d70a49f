import { createCollection as useCase } from '../../shared/collections/change-collections.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { collectionDeps } from './deps.ts';
import { createCollection } from './entries.ts';

export const handler = apiHandler(createCollection, () => {
  const deps = collectionDeps();
  return (request) => useCase(deps, request);
});
