import { limits } from '../../shared/config/limits.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { untilLastSeconds } from '../../shared/runtime/time-budget.ts';
import { followCalendars } from '../../shared/membership/calendars/follow-calendars.ts';
import { journal } from '../../shared/membership/journal.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { memberDeps } from './deps.ts';
import type * as entries from './upkeep-entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.followBirthdays> = processEnv;

/** Follows the calendars while there is time. After an error the schedule retries. */
export const handler = withinInvocation(async (_: unknown, context): Promise<void> => {
  const deps = memberDeps(env);
  const hasTime = untilLastSeconds(context, limits.birthdays.lastSeconds);
  const count = await followCalendars(
    { ...deps, journal: journal(deps), drains: queue(env('DRAINS_QUEUE_URL')) },
    hasTime,
  );
  systemLog('task.done', { count });
});
