/** Mail import: sends the notice that the import of a file has ended. */
import type { AttemptOutcome } from '../../deliveries/delivery-state.ts';
import { noticeMail } from '../../deliveries/notice-mail.ts';
import { type NoticeDeps, sendNotice } from '../../deliveries/send-notice.ts';
import type { Mail } from '../../email/mailer.ts';
import { type EndedImport, isImported } from './ended-import.ts';

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
