import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { clearUpMoments } from '../../shared/timelines/clear-up-moments.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.clearUpMoments> = processEnv;

/** Clears up unfinished moments whose makers died. After an error, the next call of the schedule tries again. */
export const handler = withinInvocation(async (): Promise<void> => {
  const count = await clearUpMoments({ table: tableFromEnv(env), clock: systemClock });
  systemLog('task.done', { count });
});
