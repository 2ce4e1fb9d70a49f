/** Import mail: what the mail about the ended import of a file says. */
import { reasonOf } from '../../email/ask-to-confirm.ts';
import type { NoticeSender } from '../../deliveries/send-notice.ts';
import { laidOut, quoted, type MailFact } from '../../email/mail-layout.ts';
import type { Mail } from '../../email/mailer.ts';
import { countOf } from '../../runtime/number-words.ts';
import { fullTime } from '../../runtime/time-words.ts';
import { UTC } from '../../runtime/time-zone.ts';
import { isImported, type EndedImport } from './ended-import.ts';

/** Most reasons in a mail. */
const MOST_REASONS = 5;

/** The address, who writes to it, and where people see imports (`undefined` in a stage without the console). */
interface Reader extends NoticeSender {
  readonly to: string;
  readonly consoleUrl: string | undefined;
}

/**
 * The notice. It holds no row. Text of the client, which may be personal data all the same: the names of the
 * definition and of the file, and the fields and columns of the reasons.
 */
export const importMail = (ended: EndedImport, { consoleUrl, ...reader }: Reader): Mail => {
  const { job, definition, view } = ended;
  const { counts, failure } = view;
  const refused = counts.unserializable + counts.failed;
  const file = quoted(job.file?.name ?? definition.name);
  const rest = {
    ...reader,
    ...{ link: linkOf(job, refused, consoleUrl), hint: '' },
    facts: factsOf(ended),
    details: detailsOf(ended),
    foot: reasonOf(reader.house),
  };
  if (!isImported(ended)) {
    return laidOut({
      ...rest,
      ...{ subject: `${file}: the import failed`, title: `The import of ${file} failed` },
      lead: failure?.message ?? 'The job ended without a reason.',
    });
  }
  const stored = countOf(counts.completed, 'row');
  const were = refused === 0 ? '' : ` ${countOf(refused, 'row was', 'rows were')} refused.`;
  return laidOut({
    ...rest,
    subject: `${file}: ${stored} stored${refused === 0 ? '' : `, ${refused.toLocaleString('en')} refused`}`,
    title: `${file} is imported`,
    lead: `${counts.completed.toLocaleString('en')} of ${countOf(counts.ingested, 'row')} stored.${were}`,
  });
};

/** The import in the console. */
const linkOf = ({ id, import: of }: EndedImport['job'], refused: number, consoleUrl: string | undefined) => {
  const label = refused === 0 ? 'See the import' : `See ${countOf(refused, 'refused row')}`;
  return consoleUrl === undefined ? null : { label, address: `${consoleUrl}#/import/${of}/${id}` };
};

/** A code as words: its meanings in sentences are in the console and in the answer of the job. */
const wordsOf = (code: string): string => code.replaceAll('_', ' ');

const factsOf = ({ definition, view }: EndedImport): readonly MailFact[] => [
  ['Definition', definition.name],
  ['Finished', view.finished === null ? '' : `${fullTime(UTC, Date.parse(view.finished))} (${UTC})`],
  ...view.refused_by
    .slice(0, MOST_REASONS)
    .map(({ field, column, code, count }): MailFact => [
      'Refused',
      `${countOf(count, 'row')}: ${[column ?? field, wordsOf(code)].filter(Boolean).join(': ')}`,
    ]),
];

const detailsOf = ({ job, view: { counts, failure } }: EndedImport): readonly MailFact[] => [
  ['Import', String(job.import)],
  ['Job', String(job.id)],
  ...(failure === null ? [] : ([['Code', failure.code]] as const)),
  ...(counts.unserializable + counts.failed === 0
    ? []
    : ([['The refused rows', `tidemark watch ${job.id}`]] as const)),
];
