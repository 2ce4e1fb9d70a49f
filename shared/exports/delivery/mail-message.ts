import { noticeMail } from '../../deliveries/notice-mail.ts';
import type { Mail } from '../../email/mailer.ts';
import { isoTime } from '../../runtime/clock.ts';
import type { ExportDefinition, ExportJob } from '../model/items.ts';

/** Facts of a notice that the job itself does not have. */
export interface NoticeFacts extends Pick<ExportDefinition, 'name'> {
  readonly location: string | null;
  /** Address of the file in the bucket of the client. */
  readonly object: string | null;
}

/** The notice of an ended job. It holds no exported data. The name of the export is the only text of the client. */
export const mailOf = (job: ExportJob, to: string, notice: NoticeFacts): Mail => {
  const { location, object } = notice;
  const called = notice.name === null ? String(job.export) : `"${notice.name}" (${job.export})`;
  const subject = `Export ${called} ${job.status === 'complete' ? 'is ready' : 'failed'}`;
  return noticeMail({
    to,
    subject,
    facts: factsOf(job, object),
    link: location,
    hint: hintOf(job, location),
  });
};

const factsOf = ({ export: id, job, file, error, finished, created }: ExportJob, object: string | null) => {
  const facts: [string, string][] = [
    ['Export', String(id)],
    ['Job', String(job)],
    ['Finished', isoTime(finished ?? created)],
  ];
  if (file) {
    facts.push(['File', file.name], ['Rows', String(file.rows)], ['Bytes', String(file.bytes)]);
    facts.push(['SHA-256', file.sha256]);
  }
  if (object !== null) facts.push(['Object', object]);
  if (error) facts.push(['Reason', `${error.detail} (${error.code})`]);
  return facts;
};

const hintOf = ({ file }: ExportJob, location: string | null): string => {
  if (!file || location === null) return '';
  const until = `Everyone who has this address can fetch the file until ${isoTime(file.expires)}.`;
  return file.encrypted ? `${until} It is encrypted to your PGP key.` : until;
};
