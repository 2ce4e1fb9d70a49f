import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { jobReference } from '../../shared/imports/items/job-messages.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps } from './deps.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(jobReference, inspectFile, (env: EnvOf<typeof entries.inspectFile>) => {
  const uploads = objectStore(env('UPLOADS_BUCKET'));
  return { ...importDeps(env), uploads, work: objectStore(env('WORK_BUCKET')), ids: systemIds };
});
