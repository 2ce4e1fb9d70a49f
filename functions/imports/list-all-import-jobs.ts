import { apiHandler } from '../../shared/edge/api-handler.ts';
import { listAllImportJobs } from '../../shared/imports/jobs/read-import-jobs.ts';
import { importDeps, lookingBarrier } from './deps.ts';
import { linkDeps } from '../link-deps.ts';
import * as entries from './entries.ts';

export const handler = apiHandler(entries.listAllImportJobs, listAllImportJobs, (env) => ({
  ...importDeps(env),
  ...linkDeps(env),
  barrier: lookingBarrier(env),
}));
