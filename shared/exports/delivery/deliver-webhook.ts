/** Deliver webhook: calls the webhook of an export when a job has ended. */
import type { PropertyScope } from '../../properties/scope.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { webhookLeaseSeconds, webhookOutcome } from '../../deliveries/webhook-outcome.ts';
import type { WebhookSender } from '../../webhooks/sender.ts';
import { signedHeaders } from '../../webhooks/signature.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts';
import { secretContext } from '../model/definition-fields.ts';
import type { ExportDefinition, ExportJob, JobRef } from '../model/items.ts';
import { locationOf } from '../model/location.ts';
import { messageId, webhookBody } from './webhook-message.ts';

export interface WebhookDeps extends DeliveryDeps {
  readonly keyService: KeyService;
  readonly send: WebhookSender;
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
    send: async (job, definition) => webhookOutcome(await deps.send(await callFor(deps, job, definition))),
  });

const callFor = async (
  { keyService, clock, scopeOf, baseUrl }: WebhookDeps,
  job: ExportJob,
  definition: ExportDefinition,
) => {
  const { webhook_url, webhook_secret } = definition;
  if (webhook_url === null || webhook_secret === null)
    throw new Error('exports: a delivery without a webhook');
  const secret = await keyService.decrypt(webhook_secret, secretContext(job.property, job.export));
  const now = clock();
  const { keys } = await scopeOf(job.property);
  const location = locationOf({ baseUrl, key: keys.downloads, now }, job, job.file);
  const body = webhookBody(job, definition, location);
  return { url: webhook_url, headers: signedHeaders(secret, { id: messageId(job), now, body }), body };
};
