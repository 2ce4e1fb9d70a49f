import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { jobReference } from '../../shared/imports/model/job-messages.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps } from './deps.ts';
import * as entries from './task-entries.ts';

export const handler = taskHandler(entries.inspectFile, jobReference, inspectFile, (env) => {
  const uploads = objectStore(env('UPLOADS_BUCKET'));
  return { ...importDeps(env), uploads, work: objectStore(env('WORK_BUCKET')), ids: systemIds };
});
