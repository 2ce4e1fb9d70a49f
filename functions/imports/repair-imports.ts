import { repairImports } from '../../shared/imports/repair-imports.ts';
import { env } from '../../shared/runtime/env.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { queue } from '../../shared/runtime/sqs-queue.ts';
import { importDeps } from './deps.ts';

/** Mends what fell between a batch's record and its message. What it throws, the schedule tries again. */
export const handler = withinInvocation(async (): Promise<void> => {
  const count = await repairImports({ ...importDeps(), batches: queue(env('IMPORT_BATCHES_QUEUE_URL')) });
  systemLog('task.done', { count });
});
