import { limits } from '../../shared/config/limits.ts';
import { advanceBrands } from '../../shared/brands/advance.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { forSeconds } from '../../shared/runtime/time-budget.ts';
import { journal } from '../../shared/membership/journal.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { segmentDeps } from '../segments/deps.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.advanceBrands> = processEnv;

/** Advances the rollout of a brand catalogue version while there is time; the next call continues. */
export const handler = withinInvocation(async (): Promise<void> => {
  const deps = segmentDeps(env);
  const outcome = await advanceBrands({
    ...deps,
    journal: journal(deps),
    drains: queue(env('DRAINS_QUEUE_URL')),
    marginMs: Number(env('CLOCK_MARGIN_SECONDS')) * 1000,
    hasTime: forSeconds(deps.clock, limits.brands.advanceSeconds),
  });
  systemLog('task.done', { outcome });
});
