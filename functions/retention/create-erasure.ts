import { apiHandler } from '../../shared/edge/api-handler.ts';
import { journal } from '../../shared/membership/journal.ts';
import { createErasure } from '../../shared/retention/erasures.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { segmentDeps } from '../segments/deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.createErasure, createErasure, (env) => {
  const deps = segmentDeps(env);
  return {
    ...deps,
    journal: journal(deps),
    drains: queue(env('DRAINS_QUEUE_URL')),
    work: objectStore(env('WORK_BUCKET')),
  };
});
