/** Import notices: tell the webhook and the address of a definition that the import of a file has ended. */
import type { AttemptOutcome } from '../../deliveries/delivery-state.ts';
import { callWebhook, type CallDeps } from '../../deliveries/call-webhook.ts';
import { isoTime } from '../../runtime/clock.ts';
import type { ImportEnded } from '../schemas/import-event.ts';
import { noticeMail } from '../../deliveries/notice-mail.ts';
import { type NoticeDeps, sendNotice } from '../../deliveries/send-notice.ts';
import type { Mail } from '../../email/mailer.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { ImportJob } from '../items/import-job.ts';
import type { jobDetailView } from '../schemas/views.ts';

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
  return sendNotice(deps, { property: job.property, to }, () => Promise.resolve(mailOf(ended, to)));
};

/** Most reasons in a mail. */
const MOST_REASONS = 5;

/**
 * The notice. It holds no row. Text of the client, which may be personal data all the same: the names of the
 * definition and of the file, and the fields and columns of the reasons.
 */
const mailOf = (ended: EndedImport, to: string): Mail => {
  const { job, definition, view } = ended;
  const { counts, failure, refused_by } = view;
  const refused = counts.unserializable + counts.failed;
  const were = refused === 1 ? 'row was' : 'rows were';
  const outcome = refused === 0 ? 'is complete' : `is complete, ${refused} ${were} refused`;
  const name = onLine(definition.name);
  const subject = `Import "${name}" ${isImported(ended) ? outcome : 'failed'}`;
  const reasons = refused_by
    .slice(0, MOST_REASONS)
    .map(({ field, column, code, count }) => `${onLine(column ?? field ?? 'row')}: ${code} (${count})`);
  return noticeMail({
    to,
    subject,
    facts: [
      ['Import', String(job.import)],
      ['Job', String(job.id)],
      ['File', onLine(job.file?.name ?? '')],
      ['Finished', view.finished ?? ''],
      ['Rows', String(counts.ingested)],
      ['Stored', String(counts.completed)],
      ['Refused', String(refused)],
      ...(failure ? ([['Reason', `${failure.message} (${failure.code})`]] as const) : []),
      ...(reasons.length > 0 ? ([['Most frequent reasons', reasons.join('; ')]] as const) : []),
    ],
    link: null,
    hint: refused === 0 ? '' : 'The refused rows are at the address of the job, under /errors.',
  });
};

/** A text without line breaks. */
const onLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A job that has ended, its definition, and the job as `GET` shows it. */
export interface EndedImport {
  readonly job: ImportJob;
  readonly definition: ImportDefinition;
  readonly view: ReturnType<typeof jobDetailView>;
}

/** Whether the file was imported, with or without refused rows. */
const isImported = ({ view }: Pick<EndedImport, 'view'>): boolean => view.counts.status !== 'failed';
