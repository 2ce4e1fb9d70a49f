import { limits } from '../../shared/config/limits.ts';
import { deliverChanges } from '../../shared/exports/delivery/deliver-changes.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { fileAttemptDeps } from './file-attempt-deps.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { systemResolve, webhookSender } from '../../shared/webhooks/sender.ts';
import { privateTargets } from '../../shared/webhooks/address-settings.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './delivery-entries.ts';

export const handler = taskHandler(jobRef, deliverChanges, (env: EnvOf<typeof entries.deliverChanges>) => ({
  ...fileAttemptDeps(env),
  forgotten: forgottenPeople(tableFromEnv(env)),
  readProfiles: profileRepository({ table: tableFromEnv(env) }).readSteps,
  scopeOf: scopesFromEnv(env),
  keyService: keyService(env('PROPERTY_KEY_ID')),
  send: webhookSender({
    resolve: systemResolve,
    privateTargets: privateTargets(env),
    timeoutMs: limits.exports.webhookTimeoutSeconds * 1000,
  }),
}));
