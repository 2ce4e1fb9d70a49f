import { limits } from '../../shared/config/limits.ts';
import { repairImports } from '../../shared/imports/jobs/repair-imports.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { untilLastSeconds } from '../../shared/runtime/time-budget.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { importDeps } from './deps.ts';
import type * as entries from './task-entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.repairImports> = processEnv;

/** Repairs interrupted imports while there is time. After an exception the schedule tries again. */
export const handler = withinInvocation(async (_: unknown, context): Promise<void> => {
  const hasTime = untilLastSeconds(context, limits.imports.repairLastSeconds);
  const batches = queue(env('IMPORT_BATCHES_QUEUE_URL'));
  const deps = {
    ...importDeps(env),
    batches,
    undos: workflow(env('UNDO_JOB_WORKFLOW_ARN'), env('TABLE_NAME')),
    workflow: workflow(env('IMPORT_FILE_WORKFLOW_ARN'), env('TABLE_NAME')),
    random: Math.random,
  };
  systemLog('task.done', { count: await repairImports(deps, hasTime) });
});
