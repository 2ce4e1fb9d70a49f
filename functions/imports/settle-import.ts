import { jobReference } from '../../shared/imports/items/job-messages.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { importDeps, drainingBarrier, sizesAtEnd } from './deps.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(jobReference, settleImport, (env: EnvOf<typeof entries.settleImport>) => ({
  ...importDeps(env),
  barrier: drainingBarrier(env),
  measure: sizesAtEnd(env),
}));
