import { limits } from '../../lib/config/limits.ts';
import type { PropertyScope } from '../profiles/types.ts';
import type { KeyService } from '../runtime/ports.ts';
import type { SendOutcome, WebhookSender } from '../webhooks/sender.ts';
import { signedHeaders } from '../webhooks/signature.ts';
import { attemptDelivery, type AttemptOutcome, type DeliverAnswer, type DeliveryDeps } from './deliveries.ts';
import type { ExportDefinition, ExportJob, JobRef } from './items.ts';
import { secretContext } from './items.ts';
import { locationOf } from './location.ts';
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

/** Any 2xx is success. */
const outcomeOf = (outcome: SendOutcome): AttemptOutcome => {
  switch (outcome.kind) {
    case 'answered': {
      const { status: httpStatus, retryAfter } = outcome;
      return httpStatus >= 200 && httpStatus < 300
        ? { kind: 'delivered', httpStatus }
        : { kind: 'failed', error: `answered ${httpStatus}`, httpStatus, retryAfter };
    }
    case 'refused':
      return { kind: 'failed', error: 'the address leads to a private target' };
    case 'failed':
      return { kind: 'failed', error: outcome.reason };
  }
};
