/** Call webhook: tells the webhook of a definition that the import of a file has ended. */
import type { AttemptOutcome } from '../../deliveries/delivery-state.ts';
import { webhookOutcome } from '../../deliveries/webhook-outcome.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import type { KeyService } from '../../runtime/ports.ts';
import type { WebhookSender } from '../../webhooks/sender.ts';
import { signedHeaders } from '../../webhooks/signature.ts';
import type { ImportEnded } from '../schemas/import-event.ts';
import { type EndedImport, isImported } from './ended-import.ts';

export interface CallDeps {
  readonly keyService: KeyService;
  readonly send: WebhookSender;
  readonly clock: Clock;
}

/** Encryption context of the webhook secret of a definition. */
export const importSecretContext = (
  property: number,
  importId: number,
): Readonly<Record<string, string>> => ({
  purpose: 'import-webhook-secret',
  property: String(property),
  import: String(importId),
});

/**
 * Calls the webhook once. Every attempt has the same message id, so a receiver whose answer was lost recognizes the
 * repetition.
 */
export const callWebhook = async (deps: CallDeps, ended: EndedImport): Promise<AttemptOutcome> => {
  const { job, definition } = ended;
  const { webhook_url: url, webhook_secret } = definition;
  if (url === null || webhook_secret === null) throw new Error('import: a delivery without a webhook');
  const context = importSecretContext(job.property, job.import);
  const secret = await deps.keyService.decrypt(webhook_secret, context);
  const body = importEvent(ended);
  const headers = signedHeaders(secret, { id: `msg_import_job_${job.id}`, now: deps.clock(), body });
  return webhookOutcome(await deps.send({ url, headers, body }));
};

/** The body of the call: the event, and the job as `GET` shows it. */
const importEvent = (ended: EndedImport): string => {
  const { job, definition, view } = ended;
  return JSON.stringify({
    type: isImported(ended) ? 'import.completed' : 'import.failed',
    import_id: job.import,
    import_name: definition.name,
    job_id: job.id,
    status: view.counts.status,
    timestamp: view.finished ?? isoTime(job.created),
    job: view,
  } satisfies ImportEnded);
};
