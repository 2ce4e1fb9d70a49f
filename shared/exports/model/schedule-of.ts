import type { RunsToCome } from '../../schedules/client-schedules.ts';
import type { ExportDefinition } from './items.ts';

/**
 * The schedule of a definition with its runs; `undefined` without a schedule. A run that was fixed when the definition was
 * made keeps its time.
 */
export const scheduleOf = ({
  schedule,
  run_at,
  created,
}: Pick<ExportDefinition, 'schedule' | 'run_at' | 'created'>): RunsToCome | undefined =>
  schedule === null ? undefined : { schedule, after: run_at === null ? created : run_at - 1 };
