import { propertyScope } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { retryImportJob as useCase } from '../../shared/imports/retry/retry-import-job.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { importDeps } from './deps.ts';
import { retryImportJob } from './entries.ts';

export const handler = apiHandler(retryImportJob, () => {
  const deps = {
    ...importDeps(),
    work: objectStore(env('WORK_BUCKET')),
    batches: queue(env('IMPORT_BATCHES_QUEUE_URL')),
    scopeOf: propertyScope,
    ids: systemIds,
  };
  return (request) => useCase(deps, request);
});
