/** Notice mail: the layout of a notice about an ended job, as text and as HTML. */
import type { Mail } from '../email/mailer.ts';
import { escapeMarkup } from '../runtime/markup.ts';

interface Notice {
  readonly to: string;
  readonly subject: string;
  /** Names and values. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly link: string | null;
  /** One or two sentences after the facts; may be empty. */
  readonly hint: string;
}

/** A notice as a mail. */
export const noticeMail = ({ to, subject, facts, link, hint }: Notice): Mail => {
  const rows = facts.map(
    ([name, value]) => `<tr><td>${escapeMarkup(name)}</td><td>${escapeMarkup(value)}</td></tr>`,
  );
  const anchor = link === null ? '' : `<p><a href="${escapeMarkup(link)}">${escapeMarkup(link)}</a></p>`;
  return {
    to,
    subject,
    text: [
      `${subject}.`,
      '',
      ...facts.map(([name, value]) => `${name}: ${value}`),
      ...(link === null ? [] : ['', link]),
      ...(hint === '' ? [] : ['', hint]),
      '',
    ].join('\r\n'),
    html: `<!doctype html><html lang="en"><body><p>${escapeMarkup(subject)}.</p><table>${rows.join('')}</table>${anchor}<p>${escapeMarkup(hint)}</p></body></html>`,
  };
};
