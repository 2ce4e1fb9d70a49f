import { repairExports } from '../../shared/exports/repair-exports.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { objectRemoval } from '../../shared/runtime/s3-object-removal.ts';
import { allSchedules, runDeps } from './deps.ts';

/** Looks after what crashed writers left behind. What it throws, the schedule tries again. */
export const handler = async (): Promise<void> => {
  const objects = objectRemoval(env('EXPORTS_BUCKET'));
  const deps = { ...runDeps(), schedules: allSchedules(), clock: systemClock, objects };
  systemLog('task.done', { count: await repairExports(deps) });
};
