import { apiHandler } from '../../shared/edge/api-handler.ts';
import { cancelImportJob } from '../../shared/imports/jobs/cancel-import-job.ts';
import { importDeps, lookingBarrier } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.cancelImportJob, cancelImportJob, (env) => ({
  ...importDeps(env),
  barrier: lookingBarrier(env),
}));
