import { limits } from '../../shared/config/limits.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { untilLastSeconds } from '../../shared/runtime/time-budget.ts';
import { followBirthdays } from '../../shared/membership/birthdays/follow-birthdays.ts';
import { journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { memberDeps } from './deps.ts';
import type * as entries from './upkeep-entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.followBirthdays> = processEnv;

/** Follows birthdays while there is time. After an error the schedule retries. */
export const handler = withinInvocation(async (_: unknown, context): Promise<void> => {
  const deps = memberDeps(env);
  const hasTime = untilLastSeconds(context, limits.birthdays.lastSeconds);
  const count = await followBirthdays(
    { ...deps, journal: journal(deps), membership: membershipIndex(deps) },
    hasTime,
  );
  systemLog('task.done', { count });
});
