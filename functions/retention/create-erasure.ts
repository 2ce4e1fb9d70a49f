import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createErasure } from '../../shared/retention/erasures.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { segmentDeps } from '../segments/deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.createErasure, createErasure, (env) => ({
  ...segmentDeps(env),
  work: objectStore(env('WORK_BUCKET')),
}));
