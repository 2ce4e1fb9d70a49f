import { deliverFile } from '../../shared/exports/delivery/deliver-file.ts';
import { fileAttemptDeps } from './file-attempt-deps.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { sftpPusher } from '../../shared/sftp/push.ts';
import { systemResolve } from '../../shared/webhooks/sender.ts';
import { privateTargets } from '../../shared/webhooks/address-settings.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './delivery-entries.ts';

export const handler = taskHandler(jobRef, deliverFile, (env: EnvOf<typeof entries.deliverFile>) => ({
  ...fileAttemptDeps(env),
  keyService: keyService(env('PROPERTY_KEY_ID')),
  push: sftpPusher({
    resolve: systemResolve,
    privateTargets: privateTargets(env),
    clock: systemClock,
    random: Math.random,
  }),
}));
