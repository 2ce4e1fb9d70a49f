import { deleteCollection as useCase } from '../../shared/collections/change-collections.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { referrersOf } from '../segments/referrers.ts';
import { collectionDeps } from './deps.ts';
import { deleteCollection } from './entries.ts';

export const handler = apiHandler(deleteCollection, () => {
  const deps = collectionDeps();
  return (request) => useCase({ ...deps, referrers: referrersOf(deps.table) }, request);
});
