import { getCollection } from '../../shared/collections/read-collections.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { collectionDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.getCollection, getCollection, collectionDeps);
