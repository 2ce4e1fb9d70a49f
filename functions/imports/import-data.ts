import { propertyScope } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { importData as useCase } from '../../shared/imports/batches/import-data.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { importDeps } from './deps.ts';
import { importData } from './entries.ts';

export const handler = apiHandler(importData, () => {
  const work = objectStore(env('WORK_BUCKET'));
  const deps = {
    ...importDeps(),
    work,
    batches: queue(env('IMPORT_BATCHES_QUEUE_URL')),
    scopeOf: propertyScope,
    ids: systemIds,
  };
  return (request) => useCase(deps, request);
});
