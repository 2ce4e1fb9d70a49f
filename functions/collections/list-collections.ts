import { listCollections } from '../../shared/collections/read-collections.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { collectionDeps } from './deps.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listCollections, listCollections, (env) => ({
  ...collectionDeps(env),
  ...linkDeps(env),
}));
