import { limits } from '../../shared/config/limits.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { measureAllSizes } from '../../shared/membership/sizes/measure-all.ts';
import { segmentDeps } from './deps.ts';
import type * as entries from './upkeep-entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.measureSizes> = processEnv;

const LAST_MS = limits.sizes.lastSeconds * 1000;

/** Measures sizes for as long as there is time. What it throws, the schedule tries again. */
export const handler = withinInvocation(async (_: unknown, context): Promise<void> => {
  const hasTime = (): boolean => (context.getRemainingTimeInMillis?.() ?? LAST_MS + 1) > LAST_MS;
  const count = await measureAllSizes(segmentDeps(env), hasTime);
  systemLog('task.done', { count });
});
