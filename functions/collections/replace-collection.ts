import { replaceCollection } from '../../shared/collections/change-collections.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { collectionChangeDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.replaceCollection, replaceCollection, collectionChangeDeps);
