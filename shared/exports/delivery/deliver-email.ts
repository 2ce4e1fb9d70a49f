/** Deliver email: sends the notice of an ended job to the confirmed address of the export. */
import { limits } from '../../config/limits.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts';
import { type NoticeDeps, sendNotice } from '../../deliveries/send-notice.ts';
import { type AttemptOutcome, permanentFailure } from '../../deliveries/delivery-state.ts';
import type { ExportDefinition, ExportJob, JobRef } from '../model/items.ts';
import { locationOf } from '../model/location.ts';
import { objectAddressOf } from '../model/s3-destination.ts';
import { mailOf } from './mail-message.ts';

export interface EmailDeps extends DeliveryDeps, NoticeDeps {}

/**
 * Sends a notice that a job ended to the address of its export. An unconfirmed address gets a confirmation link
 * instead, and nothing about the export.
 */
export const deliverEmail = (deps: EmailDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind: 'email',
    needsFile: true,
    leaseSeconds: limits.exports.emailSeconds,
    send: (job, definition) => sendMail(deps, job, definition),
  });

const sendMail = async (
  deps: EmailDeps,
  job: ExportJob,
  definition: ExportDefinition,
): Promise<AttemptOutcome> => {
  const { notification_email: to } = definition;
  if (to === null) return permanentFailure('the export has no address');
  const { clock, scopeOf, baseUrl, consoleUrl } = deps;
  return sendNotice(deps, { property: job.property, to }, async (sender) => {
    const { keys } = await scopeOf(job.property);
    const location = locationOf({ baseUrl, key: keys.downloads, now: clock() }, job, job.file);
    return mailOf(job, to, {
      ...sender,
      consoleUrl,
      definition,
      location,
      object: objectAddressOf(definition, job),
    });
  });
};
