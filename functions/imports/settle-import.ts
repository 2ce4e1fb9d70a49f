import { jobReference } from '../../shared/imports/model/job-messages.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps, drainingBarrier } from './deps.ts';
import * as entries from './task-entries.ts';

export const handler = taskHandler(entries.settleImport, jobReference, settleImport, (env) => ({
  ...importDeps(env),
  barrier: drainingBarrier(env),
}));
