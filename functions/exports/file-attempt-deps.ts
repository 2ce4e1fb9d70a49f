/** Ports of the tasks that send the file of an export, or its changes. */
import { limits } from '../../shared/config/limits.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { forgottenFromEnv } from './forgotten-deps.ts';

/** Ports of the tasks that send the file of an export, or its changes. */
export const fileAttemptDeps = (env: Env<'TABLE_NAME' | 'EXPORTS_BUCKET'>) => ({
  exports: exportRepository(tableFromEnv(env)),
  hasForgotten: forgottenFromEnv(env),
  files: objectStore(env('EXPORTS_BUCKET')),
  clock: systemClock,
  random: Math.random,
  attemptSeconds: limits.exports.pushSeconds,
});
