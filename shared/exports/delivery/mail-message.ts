/** Mail message: what the mail about an ended export job says. */
import { reasonOf } from '../../email/ask-to-confirm.ts';
import type { NoticeSender } from '../../deliveries/send-notice.ts';
import { laidOut, quoted, type MailFact } from '../../email/mail-layout.ts';
import type { Mail } from '../../email/mailer.ts';
import { bytesInWords, countOf } from '../../runtime/number-words.ts';
import { fullTime } from '../../runtime/time-words.ts';
import { UTC } from '../../runtime/time-zone.ts';
import { downloadName } from '../model/file-names.ts';
import type { ExportDefinition, ExportFile, ExportJob } from '../model/items.ts';

/** Facts of a notice that the job itself does not have. */
export interface NoticeFacts extends NoticeSender {
  /** Where people see the state of exports; `undefined` in a stage without the console. */
  readonly consoleUrl: string | undefined;
  readonly definition: Pick<ExportDefinition, 'name' | 'schedule' | 'scope' | 'consent'>;
  readonly location: string | null;
  /** Address of the file in the bucket of the client. */
  readonly object: string | null;
}

/**
 * The notice of an ended job. It holds no exported data, and no names of segments, which come from data. The names of the
 * export and of its file are the only text of the client.
 */
export const mailOf = (job: ExportJob, to: string, notice: NoticeFacts): Mail => {
  const { house, unsubscribe, definition, location, consoleUrl } = notice;
  const called = definition.name === null ? 'Your export' : quoted(definition.name);
  const { file } = job;
  const rest = { to, house, unsubscribe, foot: reasonOf(house), details: detailsOf(job) };
  const state =
    consoleUrl === undefined
      ? null
      : { label: 'See the state of your exports', address: `${consoleUrl}#/home` };
  if (!file) {
    return laidOut({
      ...rest,
      ...{ subject: `${called} failed`, title: `${called} failed`, link: state, hint: '' },
      lead: job.error?.detail ?? 'The job ended without a file.',
      facts: factsOf(job, notice),
    });
  }
  return laidOut({
    ...rest,
    subject: `${called}: ${rowsOf(file, definition)}`,
    title: `${called} is ready`,
    lead: `The file has ${rowsOf(file, definition)}.`,
    link:
      location === null
        ? state
        : { label: `Download ${downloadName(job, definition, file.name)}`, address: location },
    hint: hintOf(file, notice),
    facts: factsOf(job, notice),
  });
};

/** A file has a row for each person, and that of a delta also for those who left. */
const rowsOf = ({ rows }: ExportFile, { scope }: NoticeFacts['definition']): string =>
  scope === 'delta' ? countOf(rows, 'row') : countOf(rows, 'person', 'people');

const timeOf = (instant: number, { schedule }: NoticeFacts['definition']): string => {
  const zone = schedule?.timezone ?? UTC;
  return `${fullTime(zone, instant)} (${zone})`;
};

const factsOf = (
  { file, finished, created }: ExportJob,
  { definition, object }: NoticeFacts,
): readonly MailFact[] => [
  ...(definition.consent === null
    ? []
    : ([['Consent', `${definition.consent.channel}, ${definition.consent.state}`]] as const)),
  ['Finished', timeOf(finished ?? created, definition)],
  ...(file === null ? [] : ([['Size', bytesInWords(file.bytes)]] as const)),
  ...(object === null ? [] : ([['In your bucket', object]] as const)),
];

const detailsOf = ({ export: id, job, file, error }: ExportJob): readonly MailFact[] => [
  ['Export', String(id)],
  ['Job', String(job)],
  ...(file === null
    ? []
    : ([
        ['File', file.name],
        ['SHA-256', file.sha256],
      ] as const)),
  ...(error === null ? [] : ([['Code', error.code]] as const)),
];

const hintOf = ({ encrypted, expires }: ExportFile, { definition, location }: NoticeFacts): string => {
  if (location === null) return '';
  const until = `The link works until ${timeOf(expires, definition)}. It opens without signing in, so do not pass it on.`;
  return encrypted ? `${until} The file is encrypted to your PGP key.` : until;
};
