import { deliverObject } from '../../shared/exports/delivery/deliver-object.ts';
import { fileAttemptDeps } from './file-attempt-deps.ts';
import { openClientBucket } from '../../shared/runtime/client-bucket.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './delivery-entries.ts';

export const handler = taskHandler(jobRef, deliverObject, (env: EnvOf<typeof entries.deliverObject>) => ({
  ...fileAttemptDeps(env),
  openBucket: openClientBucket,
  accountArn: env('ACCOUNT_ARN'),
}));
