import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listImportJobs } from '../../shared/imports/jobs/list-import-jobs.ts';
import { importDeps, listDeps, lookingBarrier } from './deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listImportJobs, listImportJobs, (env) => ({
  ...importDeps(env),
  ...listDeps(env),
  barrier: lookingBarrier(env),
}));
