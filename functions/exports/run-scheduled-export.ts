import * as v from 'valibot';
import { runScheduledExport } from '../../shared/exports/runs/schedule-runs.ts';
import { queueHandler } from '../../shared/edge/queue-handler.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { scheduleRemover } from '../../shared/runtime/eventbridge-schedules.ts';
import { runDeps } from './deps.ts';
import { revisionRef } from './task-inputs.ts';
import * as entries from './task-entries.ts';

const message = v.object({
  v: v.literal(1),
  ...revisionRef.entries,
  time: v.pipe(v.string(), v.isoTimestamp()),
});

export const handler = queueHandler(entries.runScheduledExport, message, runScheduledExport, (env) => {
  const schedules = scheduleRemover(env('EXPORT_SCHEDULES_GROUP'));
  return { ...runDeps(env), schedules, clock: systemClock };
});
