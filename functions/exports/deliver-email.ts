import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { senderOf } from '../../shared/email/mailer.ts';
import { sesMailer } from '../../shared/email/ses-mailer.ts';
import { deliverEmail } from '../../shared/exports/delivery/deliver-email.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './task-inputs.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './delivery-entries.ts';

export const handler = taskHandler(jobRef, deliverEmail, (env: EnvOf<typeof entries.deliverEmail>) => {
  const sender = senderOf(env('SENDER_EMAIL'));
  const table = tableFromEnv(env);
  return {
    exports: exportRepository(table),
    mailboxes: mailboxes(table),
    ids: systemIds,
    clock: systemClock,
    random: Math.random,
    mail: sender === undefined ? unsendable : sesMailer(sender),
    scopeOf: scopesFromEnv(env),
    baseUrl: env('BASE_URL'),
  };
});

/** Fails the delivery: the stage has lost its sender address since the client created the export. */
const unsendable = () => Promise.resolve({ kind: 'failed', reason: 'there is no sender address' } as const);
