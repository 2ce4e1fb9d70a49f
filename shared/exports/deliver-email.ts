import { limits } from '../../lib/config/limits.ts';
import type { Mailer } from '../email/mailer.ts';
import type { PropertyScope } from '../profiles/types.ts';
import { attemptDelivery, type AttemptOutcome, type DeliverAnswer, type DeliveryDeps } from './deliveries.ts';
import type { ExportDefinition, ExportJob, JobRef } from './items.ts';
import { locationOf } from './location.ts';
import { mailOf } from './mail-message.ts';

/** What telling by e-mail needs. */
export interface EmailDeps extends DeliveryDeps {
  readonly mail: Mailer;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly baseUrl: string;
}

/** Tells an export's address that its job ended. */
export const deliverEmail = (deps: EmailDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind: 'email',
    leaseSeconds: limits.exports.emailSeconds,
    send: (job, definition) => sendMail(deps, job, definition),
  });

const sendMail = async (
  { clock, scopeOf, baseUrl, mail }: EmailDeps,
  job: ExportJob,
  { notification_email }: ExportDefinition,
): Promise<AttemptOutcome> => {
  if (notification_email === null) return { kind: 'hopeless', error: 'the export has no address' };
  const { keys } = await scopeOf(job.property);
  const location = locationOf({ baseUrl, key: keys.downloads, now: clock() }, job, job.file);
  const outcome = await mail(mailOf(job, notification_email, location));
  return outcome.kind === 'sent' ? { kind: 'delivered' } : { kind: 'failed', error: outcome.reason };
};
