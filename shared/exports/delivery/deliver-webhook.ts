import { limits } from '../../config/limits.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import type { KeyService } from '../../runtime/ports.ts';
import type { SendFailure, SendOutcome, WebhookSender } from '../../webhooks/sender.ts';
import { signedHeaders } from '../../webhooks/signature.ts';
import { attemptDelivery, type DeliverAnswer, type DeliveryDeps } from './deliveries.ts';
import type { AttemptOutcome } from './delivery-log.ts';
import { secretContext, type ExportDefinition, type ExportJob, type JobRef } from '../model/items.ts';
import { locationOf } from '../model/location.ts';
import { messageId, webhookBody } from './webhook-message.ts';

/** What telling a webhook needs. */
export interface WebhookDeps extends DeliveryDeps {
  readonly keyService: KeyService;
  readonly send: WebhookSender;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly baseUrl: string;
}

/** Beyond the call itself: reading what it needs, and noting what came of it. */
const MARGIN_SECONDS = 30;

/**
 * Tells an export's webhook that its job ended. Every attempt carries the same message id, so a receiver that acted although
 * its answer was lost can tell the repetition.
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
  { webhook_url, webhook_secret }: ExportDefinition,
) => {
  if (webhook_url === null || webhook_secret === null)
    throw new Error('exports: a delivery without a webhook');
  const secret = await keyService.decrypt(webhook_secret, secretContext(job.property, job.export));
  const now = clock();
  const { keys } = await scopeOf(job.property);
  const body = webhookBody(job, locationOf({ baseUrl, key: keys.downloads, now }, job, job.file));
  return { url: webhook_url, headers: signedHeaders(secret, { id: messageId(job), now, body }), body };
};

const GONE = 410;

/**
 * What a client is told of a call that failed. A private address, a name that does not resolve and a closed port are told
 * alike: the notices of a stranger must not explore a network.
 */
const failures: Readonly<Record<SendFailure, string>> = {
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
      // Gone is for good (RFC 9110, 15.5.11): the receiver wants no more.
      if (httpStatus === GONE) return { kind: 'hopeless', error: 'answered 410: gone for good', httpStatus };
      return { kind: 'failed', error: `answered ${httpStatus}`, httpStatus, retryAfter };
    }
    case 'refused':
      return { kind: 'failed', error: failures.unreachable };
    case 'failed':
      return { kind: 'failed', error: failures[outcome.failure] };
  }
};
