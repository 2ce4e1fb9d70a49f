import { limits } from '../../shared/config/limits.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { announceImport } from '../../shared/imports/announce/announce-import.ts';
import { jobReference } from '../../shared/imports/items/job-messages.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { accountNameOf } from '../../shared/auth/accounts.ts';
import { credentialsFromEnv, tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { privateTargets } from '../../shared/webhooks/address-settings.ts';
import { systemResolve, webhookSender } from '../../shared/webhooks/sender.ts';
import { consoleUrlFromEnv, mailerFromEnv } from '../mailer.ts';
import { importDeps, lookingBarrier } from './deps.ts';
import type * as entries from './task-entries.ts';

export const handler = taskHandler(
  jobReference,
  announceImport,
  (env: EnvOf<typeof entries.announceImport>) => ({
    ...importDeps(env),
    barrier: lookingBarrier(env),
    keyService: keyService(env('PROPERTY_KEY_ID')),
    mailboxes: mailboxes(tableFromEnv(env)),
    ids: systemIds,
    random: Math.random,
    mail: mailerFromEnv(env),
    consoleUrl: consoleUrlFromEnv(env),
    scopeOf: scopesFromEnv(env),
    accountNameOf: (property: number) => accountNameOf(credentialsFromEnv(env), property),
    send: webhookSender({
      resolve: systemResolve,
      privateTargets: privateTargets(env),
      timeoutMs: limits.exports.webhookTimeoutSeconds * 1000,
    }),
    uploads: objectStore(env('UPLOADS_BUCKET')),
    work: objectStore(env('WORK_BUCKET')),
    baseUrl: env('BASE_URL'),
  }),
);
