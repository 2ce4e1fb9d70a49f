import { repairExports } from '../../shared/exports/runs/repair-exports.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { allSchedules, runDeps } from './deps.ts';
import type * as entries from './task-entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.repairExports> = processEnv;

/** Reconciles the outbox of exports. After an error, the next call of the schedule tries again. */
export const handler = withinInvocation(async (): Promise<void> => {
  const files = objectStore(env('EXPORTS_BUCKET'));
  const deliveries = workflow(env('DELIVER_EXPORT_WORKFLOW_ARN'), env('TABLE_NAME'));
  const deps = { ...runDeps(env), files, deliveries, schedules: allSchedules(env), clock: systemClock };
  systemLog('task.done', { count: await repairExports(deps) });
});
