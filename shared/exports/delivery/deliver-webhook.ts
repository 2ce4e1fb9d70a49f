/** Deliver webhook: calls the webhook of an export when a job has ended. */
import { limits } from '../../config/limits.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import type { KeyService } from '../../runtime/ports.ts';
import type { SendFailure, SendOutcome, WebhookSender } from '../../webhooks/sender.ts';
import { signedHeaders } from '../../webhooks/signature.ts';
import { attemptDelivery, type DeliverAnswer, type DeliveryDeps } from './attempt-delivery.ts';
import type { AttemptOutcome } from './delivery-state.ts';
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

/** Time beside the call itself: to read the secret and the keys, and to store the outcome. */
const MARGIN_SECONDS = 30;

/**
 * Calls the webhook of an export when its job ended. Every attempt has the same message id, so a receiver whose answer
 * was lost recognizes the repetition.
 */
export const deliverWebhook = (deps: WebhookDeps, ref: JobRef): Promise<DeliverAnswer> =>
  attemptDelivery(deps, ref, {
    kind: 'webhook',
    leaseSeconds: limits.exports.webhookTimeoutSeconds + MARGIN_SECONDS,
    send: async (job, definition) => outcomeOf(await deps.send(await callFor(deps, job, definition))),
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

const GONE = 410;

/**
 * The error that a client sees for a failed call. A private address, an unknown name and a closed port have the same
 * error, so webhooks cannot be used to explore a network.
 */
export const webhookFailures: Readonly<Record<SendFailure, string>> = {
  unreachable: 'no HTTPS server can be reached there',
  certificate: 'the certificate of the server is not valid',
  late: 'the connection broke, or no answer came in time',
};

/** Any 2xx is success. */
const outcomeOf = (outcome: SendOutcome): AttemptOutcome => {
  switch (outcome.kind) {
    case 'answered': {
      const { status: httpStatus, retryAfter } = outcome;
      if (httpStatus >= 200 && httpStatus < 300) return { kind: 'delivered', httpStatus };
      // Gone is permanent (RFC 9110, 15.5.11): the receiver wants no more calls.
      if (httpStatus === GONE)
        return { kind: 'permanent_failure', error: 'answered 410: gone for good', httpStatus };
      return { kind: 'failed', error: `answered ${httpStatus}`, httpStatus, retryAfter };
    }
    case 'refused':
      return { kind: 'failed', error: webhookFailures.unreachable };
    case 'failed':
      return { kind: 'failed', error: webhookFailures[outcome.failure] };
  }
};
