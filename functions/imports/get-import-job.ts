import { apiHandler } from '../../shared/edge/api-handler.ts';
import { getImportJob } from '../../shared/imports/jobs/read-import-jobs.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { importDeps, lookingBarrier } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.getImportJob, getImportJob, (env) => ({
  ...importDeps(env),
  barrier: lookingBarrier(env),
  work: objectStore(env('WORK_BUCKET')),
}));
