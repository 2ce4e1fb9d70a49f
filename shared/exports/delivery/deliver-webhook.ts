/** Deliver webhook: calls the webhook of an export when a job has ended. */
import { callWebhook, webhookLeaseSeconds, type CallDeps } from '../../deliveries/call-webhook.ts';
import type { DeliverAnswer } from '../../deliveries/make-attempt.ts';
import type { PropertyScope } from '../../properties/scope.ts';
import { isoTime } from '../../runtime/clock.ts';
import { secretContext } from '../model/definition-fields.ts';
import type { ExportEnded } from '../model/export-events.ts';
import type { ExportDefinition, ExportJob, JobRef } from '../model/items.ts';
import { locationOf } from '../model/location.ts';
import { objectAddressOf } from '../model/s3-destination.ts';
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts';

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
    needsFile: true,
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

/** The body of the webhook call for an ended job, by the definition that the job worked by. */
const webhookBody = (job: ExportJob, definition: ExportDefinition, location: string | null): string =>
  JSON.stringify({
    type: job.status === 'complete' ? 'export.completed' : 'export.failed',
    export_id: String(job.export),
    export_name: definition.name,
    job_id: String(job.job),
    status: job.status,
    location,
    s3_object: objectAddressOf(definition, job),
    file_name: job.file?.name ?? null,
    rows: job.file?.rows ?? null,
    sha256: job.file?.sha256 ?? null,
    timestamp: isoTime(job.finished ?? job.created),
  } satisfies ExportEnded);

/** Id of the message. It is the same in every attempt, so a receiver recognizes repetitions. */
const messageId = ({ job }: ExportJob): string => `msg_export_job_${job}`;
