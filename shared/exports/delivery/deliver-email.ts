/** Deliver email: sends the notice of an ended job to the confirmed address of the export. */
import { limits } from '../../config/limits.ts';
import { askToConfirm } from '../../email/ask-to-confirm.ts';
import type { Mailboxes } from '../../email/mailboxes.ts';
import type { Mailer } from '../../email/mailer.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import type { Ids } from '../../runtime/ids.ts';
import { attemptDelivery, type DeliverAnswer, type DeliveryDeps } from './attempt-delivery.ts';
import type { AttemptOutcome } from './delivery-state.ts';
import type { ExportDefinition, ExportJob, JobRef } from '../model/items.ts';
import { locationOf } from '../model/location.ts';
import { mailOf } from './mail-message.ts';

export interface EmailDeps extends DeliveryDeps {
  readonly mail: Mailer;
  readonly mailboxes: Mailboxes;
  readonly ids: Ids;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly baseUrl: string;
}

/**
 * Sends a notice that a job ended to the address of its export. An unconfirmed address gets a confirmation link
 * instead, and nothing about the export.
 */
export const deliverEmail = (deps: EmailDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind: 'email',
    leaseSeconds: limits.exports.emailSeconds,
    send: (job, definition) => sendMail(deps, job, definition),
  });

/** The owner of the address has not opened the confirmation link. */
const UNCONFIRMED = 'unconfirmed_address';

/** The property has used up its notices of this day. */
const TOO_MANY = 'too_many_mails_today';

const sendMail = async (
  deps: EmailDeps,
  job: ExportJob,
  { name, notification_email }: ExportDefinition,
): Promise<AttemptOutcome> => {
  const { clock, scopeOf, baseUrl, mail, mailboxes } = deps;
  const { property } = job;
  if (notification_email === null) return { kind: 'permanent_failure', error: 'the export has no address' };
  if (!(await mailboxes.isConfirmed(property, notification_email))) {
    await askToConfirm(deps, { property, address: notification_email }, clock());
    return { kind: 'failed', error: UNCONFIRMED };
  }
  const { keys } = await scopeOf(property);
  const location = locationOf({ baseUrl, key: keys.downloads, now: clock() }, job, job.file);
  if (!(await mailboxes.mayMail(property, 'notice', clock()))) return { kind: 'failed', error: TOO_MANY };
  const outcome = await mail(mailOf(job, notification_email, { name, location }));
  return outcome.kind === 'sent' ? { kind: 'delivered' } : { kind: 'failed', error: outcome.reason };
};
