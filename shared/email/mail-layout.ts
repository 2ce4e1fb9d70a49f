/** Mail layout: a mail as text and as HTML that mail programs show: tables, and styles in the elements themselves. */
import { escapeMarkup } from '../runtime/markup.ts';
import { dark, FONT, light } from '../runtime/palette.ts';
import { shortened } from '../runtime/shortened.ts';
import { visibleLine } from '../runtime/visible-text.ts';
import type { Mail } from './mailer.ts';

/** A name and what it stands for. */
export type MailFact = readonly [name: string, value: string];

/** What a mail says. Every text is text: the layout escapes it, and leaves out line breaks and invisible characters. */
export interface MailContent {
  readonly to: string;
  readonly subject: string;
  /** The house on whose behalf the mail comes. */
  readonly house: string;
  readonly title: string;
  readonly lead: string;
  /** Where the reader goes on; `null` for a mail without a link. */
  readonly link: { readonly label: string; readonly address: string } | null;
  /** What to know about the link; may be empty. */
  readonly hint: string;
  readonly facts: readonly MailFact[];
  /** Ids and digests, below the rest. */
  readonly details: readonly MailFact[];
  /** Why the mail came. */
  readonly foot: string;
  /** The link by which the reader ends such mails; `null` for a single question. */
  readonly unsubscribe: string | null;
}

/** The most characters of a name that a mail quotes. */
const MOST_NAME = 80;

/** A text in one line of what people see: no line break can begin a header, no mark turns the words around. */
const inLine = (text: string): string => visibleLine(text.replaceAll(/\p{Cc}/gu, ' '));

/** A name of a client in a sentence: in one line, of a bounded length, in quotation marks. */
export const quoted = (name: string): string => `“${shortened(inLine(name), MOST_NAME)}”`;

/** Lays out a mail. */
export const laidOut = (content: MailContent): Mail => ({
  to: content.to,
  house: inLine(content.house),
  unsubscribe: content.unsubscribe,
  subject: inLine(content.subject),
  text: textOf(content),
  html: htmlOf(content),
});

const lineOf = ([name, value]: MailFact): string => `${inLine(name)}: ${inLine(value)}`;

/** What the link says that ends the mails. */
const UNSUBSCRIBE = 'Unsubscribe from these mails';

/** The text: the link comes first, behind one sentence. */
const textOf = ({ title, lead, link, hint, facts, details, foot, unsubscribe }: MailContent): string => {
  const blocks = [
    [inLine(title)],
    [inLine(lead)],
    link === null ? [] : [`${inLine(link.label)}:`, link.address],
    [inLine(hint)],
    facts.map(lineOf),
    details.length === 0 ? [] : ['For engineers', ...details.map(lineOf)],
    [inLine(foot)],
    unsubscribe === null ? [] : [`${UNSUBSCRIBE}:`, unsubscribe],
  ];
  return blocks
    .map((lines) => lines.filter((line) => line !== ''))
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\r\n')}\r\n`)
    .join('\r\n');
};

const html = (text: string): string => escapeMarkup(inLine(text));

const small = `font-size:13px;line-height:20px;color:${light('muted')}`;

const paragraph = (text: string, style: string, kind = ''): string =>
  text === '' ? '' : `<p${kind} style="margin:0 0 16px;${style}">${html(text)}</p>`;

const table = (attributes: string, content: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes}>${content}</table>`;

const factRows = (facts: readonly MailFact[]): string =>
  facts
    .map(
      ([name, value]) =>
        `<tr><td class="dim" valign="top" style="padding:2px 16px 2px 0;${small};white-space:nowrap">${html(name)}</td>` +
        `<td valign="top" style="padding:2px 0;font-size:13px;line-height:20px;word-break:break-word"><bdi>${html(value)}</bdi></td></tr>`,
    )
    .join('');

const factTable = (facts: readonly MailFact[], title = ''): string =>
  facts.length === 0
    ? ''
    : `${paragraph(title, `margin-bottom:4px;${small}`, ' class="dim"')}${table('style="margin:0 0 16px"', factRows(facts))}`;

const button = (link: MailContent['link']): string =>
  link === null
    ? ''
    : table(
        'style="margin:0 0 16px"',
        `<tr><td class="button" bgcolor="${light('accent')}" style="border-radius:6px"><a href="${escapeMarkup(link.address)}" style="display:inline-block;padding:12px 24px;font-size:15px;font-weight:600;line-height:20px;color:${light('on-accent')};text-decoration:none;word-break:break-word">${html(link.label)}</a></td></tr>`,
      );

/** Colours for the dark, in mail programs that read them. The elements have those for the light. */
const darkStyle = `@media (prefers-color-scheme:dark){.page{background:${dark('page')}!important}
.panel{background:${dark('surface')}!important;border-color:${dark('line')}!important;color:${dark('text')}!important}
.dim{color:${dark('muted')}!important}.button{background:${dark('accent')}!important}.button a{color:${dark('on-accent')}!important}}`;

const unsubscribeParagraph = (link: string | null): string =>
  link === null
    ? ''
    : `<p class="dim" style="margin:0 0 16px;${small}"><a class="dim" href="${escapeMarkup(link)}" style="color:${light('muted')};text-decoration:underline">${UNSUBSCRIBE}</a></p>`;

const htmlOf = (content: MailContent): string => {
  const { subject, house, title, lead, link, hint, facts, details, foot, unsubscribe } = content;
  const panel = [
    paragraph(house, 'font-size:15px;line-height:20px;font-weight:600'),
    `<h1 style="margin:0 0 8px;font-size:24px;line-height:30px;font-weight:600">${html(title)}</h1>`,
    paragraph(lead, 'font-size:15px;line-height:23px'),
    button(link),
    paragraph(hint, small, ' class="dim"'),
    factTable(facts),
    factTable(details, 'For engineers'),
  ].join('');
  const page = `<tr><td align="center" style="padding:32px 16px">${table(
    `width="520" class="panel" style="width:100%;max-width:520px;background:${light('surface')};border:1px solid ${light('line')};border-radius:10px;color:${light('text')}"`,
    `<tr><td align="left" style="padding:32px 32px 16px">${panel}</td></tr>`,
  )}${table(
    'width="520" style="width:100%;max-width:520px"',
    `<tr><td align="left" style="padding:16px 8px">${paragraph(foot, small, ' class="dim"')}${unsubscribeParagraph(unsubscribe)}</td></tr>`,
  )}</td></tr>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${html(subject)}</title><style>${darkStyle}</style></head><body class="page" style="margin:0;padding:0;background:${light('page')}">${table(
    `width="100%" class="page" style="background:${light('page')};font-family:${escapeMarkup(FONT)}"`,
    page,
  )}</body></html>`;
};
