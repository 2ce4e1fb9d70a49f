import { jobReference } from '../../shared/imports/items/job-messages.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { rulesIn } from '../../shared/properties/rules.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { derivationsFromEnv, catalogueFromEnv } from '../segments/catalogue-deps.ts';
import { importDeps } from './deps.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(jobReference, splitFile, (env: EnvOf<typeof entries.splitFile>) => {
  const uploads = objectStore(env('UPLOADS_BUCKET'));
  const work = objectStore(env('WORK_BUCKET'));
  return {
    ...importDeps(env),
    uploads,
    work,
    batches: queue(env('IMPORT_BATCHES_QUEUE_URL')),
    segments: catalogueFromEnv(env),
    derivations: derivationsFromEnv(env),
    rulesOf: rulesIn(tableFromEnv(env)),
  };
});
