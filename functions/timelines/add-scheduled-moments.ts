import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { addScheduledMoments } from '../../shared/timelines/add-scheduled-moments.ts';
import { segmentDeps } from '../segments/deps.ts';
import { intervalMs } from './deps.ts';

/** Makes the moments whose time has come. What fails is tried again by the next call; the first failure rings the alarm. */
export const handler = withinInvocation(async (): Promise<void> => {
  systemLog('task.done', {
    count: await addScheduledMoments({ ...segmentDeps(), intervalMs: intervalMs() }),
  });
});
