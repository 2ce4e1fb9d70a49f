import { propertyScope } from '../../shared/properties/property-keys.ts';
import { mailboxes } from '../../shared/email/mailboxes.ts';
import { senderOf } from '../../shared/email/mailer.ts';
import { sesMailer } from '../../shared/email/ses-mailer.ts';
import { deliverEmail } from '../../shared/exports/delivery/deliver-email.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { taskHandler } from '../../shared/edge/task-handler.ts';
import { jobRef } from './job-ref.ts';

export const handler = taskHandler(jobRef, () => {
  const sender = senderOf(env('SENDER_EMAIL'));
  const table = tableFromEnv();
  const deps = {
    exports: exportRepository(table),
    mailboxes: mailboxes(table),
    ids: systemIds,
    clock: systemClock,
    random: Math.random,
    mail: sender === undefined ? unsendable : sesMailer(sender),
    scopeOf: propertyScope,
    baseUrl: env('BASE_URL'),
  };
  return (ref) => deliverEmail(deps, ref);
});

/** The sender was taken away after the export was made. */
const unsendable = () => Promise.resolve({ kind: 'failed', reason: 'there is no sender address' } as const);
