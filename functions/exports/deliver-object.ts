import { limits } from '../../shared/config/limits.ts';
import { deliverObject } from '../../shared/exports/delivery/deliver-object.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { forgottenFromEnv } from './forgotten-deps.ts';
import { openClientBucket } from '../../shared/runtime/client-bucket.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './delivery-entries.ts';

export const handler = taskHandler(jobRef, deliverObject, (env: EnvOf<typeof entries.deliverObject>) => ({
  exports: exportRepository(tableFromEnv(env)),
  hasForgotten: forgottenFromEnv(env),
  files: objectStore(env('EXPORTS_BUCKET')),
  openBucket: openClientBucket,
  accountArn: env('ACCOUNT_ARN'),
  clock: systemClock,
  random: Math.random,
  attemptSeconds: limits.exports.pushSeconds,
}));
