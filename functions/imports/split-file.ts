import { jobReference } from '../../shared/imports/model/job-messages.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps } from './deps.ts';

export const handler = taskHandler(jobReference, () => {
  const uploads = objectStore(env('UPLOADS_BUCKET'));
  const work = objectStore(env('WORK_BUCKET'));
  const deps = { ...importDeps(), uploads, work, batches: queue(env('IMPORT_BATCHES_QUEUE_URL')) };
  return (reference) => splitFile(deps, reference);
});
