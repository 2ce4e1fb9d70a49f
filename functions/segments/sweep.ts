import { queue } from '../../shared/runtime/sqs-queue.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { sweepJournal } from '../../shared/membership/drain.ts';
import { journal } from '../../shared/membership/journal.ts';
import type * as entries from './upkeep-entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.sweep> = processEnv;

/** Requests drains of all groups with journal entries. After an error the schedule retries. */
export const handler = withinInvocation(async (): Promise<void> => {
  const count = await sweepJournal({
    journal: journal({ table: tableFromEnv(env), clock: systemClock }),
    drains: queue(env('DRAINS_QUEUE_URL')),
    ids: systemIds,
  });
  systemLog('task.done', { count });
});
