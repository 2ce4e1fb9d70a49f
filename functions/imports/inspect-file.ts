import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { jobReference } from '../../shared/imports/model/job-messages.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps } from './deps.ts';

export const handler = taskHandler(jobReference, () => {
  const uploads = objectStore(env('UPLOADS_BUCKET'));
  const deps = { ...importDeps(), uploads, work: objectStore(env('WORK_BUCKET')), ids: systemIds };
  return (reference) => inspectFile(deps, reference);
});
