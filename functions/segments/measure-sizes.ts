import { limits } from '../../shared/config/limits.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { untilLastSeconds } from '../../shared/runtime/time-budget.ts';
import { measureAllSizes } from '../../shared/membership/sizes/measure-all.ts';
import { segmentDeps } from './deps.ts';
import type * as entries from './upkeep-entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.measureSizes> = processEnv;

/** Measures segment sizes while there is time. After an error the schedule retries. */
export const handler = withinInvocation(async (_: unknown, context): Promise<void> => {
  const hasTime = untilLastSeconds(context, limits.sizes.lastSeconds);
  const count = await measureAllSizes(segmentDeps(env), hasTime);
  systemLog('task.done', { count });
});
