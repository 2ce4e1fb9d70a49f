import { deleteCollection } from '../../shared/collections/change-collections.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { referrersOf } from '../segments/referrers.ts';
import { collectionDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.deleteCollection, deleteCollection, (env) => {
  const deps = collectionDeps(env);
  return { ...deps, referrers: referrersOf(deps.table) };
});
