/** Import notices: tell the webhook and the address of a definition that the import of a file has ended. */
import type { AttemptOutcome } from '../../deliveries/delivery-state.ts';
import { callWebhook, type CallDeps } from '../../deliveries/call-webhook.ts';
import { isoTime } from '../../runtime/clock.ts';
import { importMail } from './import-mail.ts';
import { isImported, type EndedImport } from './ended-import.ts';
import type { ImportEnded } from '../schemas/import-event.ts';
import { type NoticeDeps, sendNotice } from '../../deliveries/send-notice.ts';

/** Encryption context of the webhook secret of a definition. */
export const importSecretContext = (
  property: number,
  importId: number,
): Readonly<Record<string, string>> => ({
  purpose: 'import-webhook-secret',
  property: String(property),
  import: String(importId),
});

/** Calls the webhook once. */
export const callImportWebhook = async (deps: CallDeps, ended: EndedImport): Promise<AttemptOutcome> => {
  const { job, definition } = ended;
  const { webhook_url: url, webhook_secret: secret } = definition;
  if (url === null || secret === null) throw new Error('import: a delivery without a webhook');
  const context = importSecretContext(job.property, job.import);
  return callWebhook(deps, {
    url,
    secret,
    context,
    id: `msg_import_job_${job.id}`,
    body: importEvent(ended),
  });
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

export type MailDeps = NoticeDeps;

/** Sends the notice once to the address of the definition. */
export const mailImport = (deps: MailDeps, ended: EndedImport): Promise<AttemptOutcome> => {
  const { job, definition } = ended;
  const { notification_email: to } = definition;
  if (to === null) throw new Error('import: a delivery without an address');
  return sendNotice(deps, { property: job.property, to }, (sender) =>
    Promise.resolve(importMail(ended, { to, ...sender, consoleUrl: deps.consoleUrl })),
  );
};
