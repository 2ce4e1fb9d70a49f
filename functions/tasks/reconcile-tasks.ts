import { exportTasks } from '../../shared/exports/runs/reconcile-exports.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { importTasks } from '../../shared/imports/jobs/import-tasks.ts';
import { undoCleanups } from '../../shared/ingest/undo-cleanups.ts';
import { upkeepKinds } from '../../shared/retention/upkeep-kinds.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { workflow } from '../../shared/runtime/sfn-workflow.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { reconcileAndStay } from '../../shared/tasks/reconcile.ts';
import { conditionTasks } from '../../shared/segments/prepare-conditions.ts';
import { momentTasks } from '../../shared/timelines/clear-up-moments.ts';
import { scheduleTasks } from '../../shared/timelines/timeline-schedule.ts';
import { allSchedules, runDeps } from '../exports/deps.ts';
import { repairDeps } from '../imports/deps.ts';
import { prepareDeps } from '../segments/deps.ts';
import { upkeepDeps } from '../retention/deps.ts';
import type * as entries from './entries.ts';

const env: EnvOf<typeof entries.reconcileTasks> = processEnv;

/** Looks at the tasks of all kinds that are due. After an error, the next call goes on with the other tasks. */
export const handler = withinInvocation(async (): Promise<void> => {
  const files = objectStore(env('EXPORTS_BUCKET'));
  const deliveries = workflow(env('DELIVER_EXPORT_WORKFLOW_ARN'), env('TABLE_NAME'));
  const runs = queue(env('EXPORT_RUNS_QUEUE_URL'));
  const deps = { ...runDeps(env), files, deliveries, schedules: allSchedules(env), runs, clock: systemClock };
  const upkeep = upkeepDeps(env);
  const kinds = {
    ...exportTasks(deps),
    ...momentTasks(deps.table),
    ...conditionTasks(prepareDeps(env)),
    ...scheduleTasks(deps),
    ...upkeepKinds(upkeep),
    'undo-cleanup': undoCleanups(upkeep),
    ...importTasks(repairDeps(env)),
  };
  systemLog('task.done', await reconcileAndStay({ ...deps, sleep, log: systemLog, kinds }));
});
