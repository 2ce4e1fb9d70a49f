import { repairExports } from '../../shared/exports/repair-exports.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { allSchedules, runDeps } from './deps.ts';

/** Looks after what crashed writers left behind. What it throws, the schedule tries again. */
export const handler = async (): Promise<void> => {
  const deps = { ...runDeps(), schedules: allSchedules(), clock: systemClock };
  systemLog('task.done', { count: await repairExports(deps) });
};
