import * as v from 'valibot';
import { runScheduledExport } from '../../shared/exports/runs/schedule-runs.ts';
import { queueHandler } from '../../shared/edge/queue-handler.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { scheduleRemover } from '../../shared/runtime/eventbridge-schedules.ts';
import { runDeps } from './deps.ts';
import { revisionRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

const message = v.object({
  v: v.literal(1),
  ...revisionRef.entries,
  time: v.pipe(v.string(), v.isoTimestamp()),
  catches_up: v.boolean(),
});

export const handler = queueHandler(
  message,
  runScheduledExport,
  (env: EnvOf<typeof entries.runScheduledExport>) => {
    const schedules = scheduleRemover(env('EXPORT_SCHEDULES_GROUP'));
    return { ...runDeps(env), schedules, clock: systemClock };
  },
  'EXPORT_RUNS_QUEUE_URL',
);
