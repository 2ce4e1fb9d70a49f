/** Import mail: what the mail about the ended import of a file says. */
import { stopOf } from '../../email/ask-to-confirm.ts';
import { laidOut, quoted, type MailFact } from '../../email/mail-layout.ts';
import type { Mail } from '../../email/mailer.ts';
import { countOf } from '../../runtime/number-words.ts';
import { fullTime } from '../../runtime/time-words.ts';
import { UTC } from '../../runtime/time-zone.ts';
import { isImported, type EndedImport } from './ended-import.ts';

/** Most reasons in a mail. */
const MOST_REASONS = 5;

/** The address, and the account of the property. */
interface Reader {
  readonly to: string;
  readonly house: string;
}

/**
 * The notice. It holds no row. Text of the client, which may be personal data all the same: the names of the
 * definition and of the file, and the fields and columns of the reasons.
 */
export const importMail = (ended: EndedImport, { to, house }: Reader): Mail => {
  const { job, definition, view } = ended;
  const { counts, failure } = view;
  const refused = counts.unserializable + counts.failed;
  const file = quoted(job.file?.name ?? definition.name);
  const rest = {
    ...{ to, house, link: null, hint: '' },
    facts: factsOf(ended),
    details: detailsOf(ended),
    foot: `You get this mail because the owner of this address allowed ${house} to send it. ${stopOf(house)}`,
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

const factsOf = ({ definition, view }: EndedImport): readonly MailFact[] => [
  ['Definition', definition.name],
  ['Finished', view.finished === null ? '' : `${fullTime(UTC, Date.parse(view.finished))} (${UTC})`],
  ...view.refused_by
    .slice(0, MOST_REASONS)
    .map(({ field, column, code, count }): MailFact => [
      'Refused',
      `${countOf(count, 'row')}: ${column ?? field ?? 'row'}, ${code}`,
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
