import { jobReference } from '../../shared/imports/messages.ts';
import { settleImport } from '../../shared/imports/settle-import.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { taskHandler } from '../../shared/runtime/task-handler.ts';
import { isSettled } from '../../shared/segments/drain.ts';
import { journal } from '../../shared/segments/journal.ts';
import { importDeps } from './deps.ts';

export const handler = taskHandler(jobReference, () => {
  const draining = {
    journal: journal({ table: tableFromEnv(), clock: systemClock }),
    drains: queue(env('DRAINS_QUEUE_URL')),
    ids: systemIds,
  };
  const barrier = { isSettled: (property: number) => isSettled(draining, property) };
  const deps = { ...importDeps(), barrier };
  return (reference) => settleImport(deps, reference);
});
