import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { addScheduledMoments } from '../../shared/timelines/add-scheduled-moments.ts';
import { segmentDeps } from '../segments/deps.ts';
import { intervalMs } from './deps.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.addScheduledMoments> = processEnv;

/** Makes all due moments. The next call repeats failed moments; the first error raises the alarm. */
export const handler = withinInvocation(async (): Promise<void> => {
  systemLog('task.done', {
    count: await addScheduledMoments({ ...segmentDeps(env), intervalMs: intervalMs(env) }),
  });
});
