import { mailboxes } from '../../shared/email/mailboxes.ts';
import { deliverEmail } from '../../shared/exports/delivery/deliver-email.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { forgottenFromEnv } from './forgotten-deps.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { accountNameOf } from '../../shared/auth/accounts.ts';
import { credentialsFromEnv, tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { consoleUrlFromEnv, mailerFromEnv } from '../mailer.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './delivery-entries.ts';
import { linkDeps } from '../link-deps.ts';

export const handler = taskHandler(jobRef, deliverEmail, (env: EnvOf<typeof entries.deliverEmail>) => {
  const table = tableFromEnv(env);
  const credentials = credentialsFromEnv(env);
  return {
    exports: exportRepository(table),
    hasForgotten: forgottenFromEnv(env),
    mailboxes: mailboxes(table),
    ids: systemIds,
    clock: systemClock,
    random: Math.random,
    mail: mailerFromEnv(env),
    consoleUrl: consoleUrlFromEnv(env),
    accountNameOf: (property) => accountNameOf(credentials, property),
    ...linkDeps(env),
  };
});
