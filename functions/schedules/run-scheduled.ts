import * as v from 'valibot';
import { queueHandler } from '../../shared/edge/queue-handler.ts';
import { runScheduledExport } from '../../shared/exports/runs/schedule-runs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import { scheduleRemover } from '../../shared/runtime/eventbridge-schedules.ts';
import { addScheduledMoment } from '../../shared/timelines/timeline-schedule.ts';
import { runDeps } from '../exports/deps.ts';
import { revisionRef } from '../exports/task-inputs.ts';
import { segmentDeps } from '../segments/deps.ts';
import { intervalMs } from '../timelines/deps.ts';
import type * as entries from './entries.ts';

const run = {
  v: v.literal(1),
  time: v.pipe(v.string(), v.isoTimestamp()),
  catches_up: v.boolean(),
};
const id = v.pipe(v.number(), v.safeInteger());
const message = v.union([
  v.object({ ...run, ...revisionRef.entries }),
  v.object({ ...run, property: id, timeline: id }),
]);

export const handler = queueHandler(
  message,
  (deps, told) => ('export' in told ? runScheduledExport(deps, told) : addScheduledMoment(deps, told)),
  (env: EnvOf<typeof entries.runScheduled>) => ({
    ...segmentDeps(env),
    ...runDeps(env),
    intervalMs: intervalMs(env),
    schedules: scheduleRemover(env('EXPORT_SCHEDULES_GROUP')),
  }),
  'EXPORT_RUNS_QUEUE_URL',
);
