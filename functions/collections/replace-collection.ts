import { replaceCollection as useCase } from '../../shared/collections/change-collections.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { collectionDeps } from './deps.ts';
import { replaceCollection } from './entries.ts';

export const handler = apiHandler(replaceCollection, () => {
  const deps = collectionDeps();
  return (request) => useCase(deps, request);
});
