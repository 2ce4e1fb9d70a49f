import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { importDeps } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.importData, importData, (env) => {
  const work = objectStore(env('WORK_BUCKET'));
  return {
    ...importDeps(env),
    work,
    batches: queue(env('IMPORT_BATCHES_QUEUE_URL')),
    scopeOf: scopesFromEnv(env),
    ids: systemIds,
  };
});
