/** Deliver webhook: calls the webhook of an export when a job has ended. */
import type { PropertyScope } from '../../properties/scope.ts';
import { callWebhook, webhookLeaseSeconds, type CallDeps } from '../../deliveries/call-webhook.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts';
import { secretContext } from '../model/definition-fields.ts';
import type { ExportDefinition, ExportJob, JobRef } from '../model/items.ts';
import { locationOf } from '../model/location.ts';
import { messageId, webhookBody } from './webhook-message.ts';

export interface WebhookDeps extends DeliveryDeps, CallDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly baseUrl: string;
}

/**
 * Calls the webhook of an export when its job ended. Every attempt has the same message id, so a receiver whose answer
 * was lost recognizes the repetition.
 */
export const deliverWebhook = (deps: WebhookDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind: 'webhook',
    leaseSeconds: webhookLeaseSeconds,
    send: async (job, definition) => callWebhook(deps, await messageOf(deps, job, definition)),
  });

const messageOf = async (
  { clock, scopeOf, baseUrl }: WebhookDeps,
  job: ExportJob,
  definition: ExportDefinition,
) => {
  const { webhook_url: url, webhook_secret: secret } = definition;
  if (url === null || secret === null) throw new Error('exports: a delivery without a webhook');
  const { keys } = await scopeOf(job.property);
  const location = locationOf({ baseUrl, key: keys.downloads, now: clock() }, job, job.file);
  const context = secretContext(job.property, job.export);
  return { url, secret, context, id: messageId(job), body: webhookBody(job, definition, location) };
};
