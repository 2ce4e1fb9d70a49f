/** Confirmation page: what the owner of an address sees who opens the link in a mail. */
import { writeAnswer, writeProblem, type GatewayAnswer } from '../http/answer.ts';
import type { ApiAnswer } from '../http/api-types.ts';
import { hashSource, pageHeaders } from '../http/page-headers.ts';
import type { Problem } from '../http/problem.ts';
import { limits } from '../config/limits.ts';
import { escapeMarkup } from '../runtime/markup.ts';
import { FONT, palettes } from '../runtime/palette.ts';
import { originOf, questionOf, terms } from './ask-to-confirm.ts';

const style = `
:root{color-scheme:light dark;${palettes.light}}
@media (prefers-color-scheme:dark){:root{${palettes.dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 ${FONT}}
main{max-width:472px;margin:0 auto;padding:64px 16px 48px;display:grid;gap:24px;grid-template-columns:minmax(0,1fr)}
.brand{display:flex;align-items:center;gap:8px;font-weight:650;overflow-wrap:anywhere}.brand svg{flex:none;color:var(--accent)}
section{display:grid;gap:20px;padding:32px;background:var(--surface);border:1px solid var(--line);border-radius:10px}
h1,p,dl,dd{margin:0}h1{font-size:26px;line-height:1.2;font-weight:650;letter-spacing:-.015em;overflow-wrap:anywhere;text-wrap:balance}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 16px}dt{color:var(--muted)}dd,p{overflow-wrap:anywhere}
form{display:grid;gap:8px}
button{min-height:44px;padding:6px 16px;font:600 15px/1.2 ${FONT};border:1px solid transparent;border-radius:6px;background:none;color:var(--muted);cursor:pointer}
button:hover{background:var(--sunken)}
button.main{background:var(--accent);color:var(--on-accent)}button.main:hover{background:var(--accent-strong)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.small{font-size:13px;color:var(--muted)}
@media(max-width:860px){main{padding-top:24px}section{padding:24px 16px}}
`;

const headers = {
  ...pageHeaders([`style-src ${hashSource(style)}`], "'self'"),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const wave =
  '<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" aria-hidden="true"><path d="M3 8.5c3-3 6-3 9 0s6 3 9 0"/><path d="M3 15.5c3-3 6-3 9 0s6 3 9 0" opacity=".45"/></svg>';

interface Content {
  /** The house that asks; Tidemark where nobody knows it. */
  readonly house: string;
  readonly title: string;
  /** HTML between the title and the end of the panel. */
  readonly rest: string;
  readonly foot?: string;
}

const page = ({ house, title, rest, foot = '' }: Content): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<div class="brand">${wave}<bdi>${escapeMarkup(house)}</bdi></div>
<section>
<h1>${escapeMarkup(title)}</h1>
${rest}
</section>
${foot === '' ? '' : `<p class="small">${escapeMarkup(foot)}</p>`}
</main>
</body>
</html>
`;

const paragraph = (text: string): string => `<p>${escapeMarkup(text)}</p>`;

const answerOf = (content: Content): ApiAnswer => ({ status: 200, headers, body: page(content) });

/** The query of the answer no. */
export const DECLINE = 'answer=no';

/** The question, with a button for each answer. */
export const questionPage = (asker: string): ApiAnswer =>
  answerOf({
    house: asker,
    title: questionOf(asker),
    rest: `${paragraph(`${asker} wants to send mail to the address that got this link.`)}
<dl>${terms
      .map(([name, value]) => `<dt>${escapeMarkup(name)}</dt><dd>${escapeMarkup(value)}</dd>`)
      .join('')}</dl>
<form method="post"><button class="main">Yes, send me this mail</button><button formaction="?${DECLINE}">No, and do not ask again</button></form>`,
    foot: `You do not know ${asker}? Close this page; nothing will be sent. ${originOf(asker)}`,
  });

/** The owner of the address allowed the mail. */
export const confirmedPage = (asker: string): ApiAnswer =>
  answerOf({
    house: asker,
    title: 'Your address is confirmed',
    rest: `${paragraph(`It gets mail from ${asker} when imports and exports end.`)}${paragraph('Each of them has an unsubscribe link.')}`,
  });

/** The owner of the address refused the mail. */
export const declinedPage = (asker: string): ApiAnswer =>
  answerOf({
    house: asker,
    title: 'You get no mail',
    rest: paragraph(
      `${asker} sends nothing more to your address. You are asked again only if somebody there enters it again.`,
    ),
  });

/** The question behind the unsubscribe link. */
export const unsubscribePage = (house: string): ApiAnswer =>
  answerOf({
    house,
    title: `Unsubscribe from mail from ${house}?`,
    rest: `${paragraph('This address then gets no mail when imports and exports end.')}
<form method="post"><button class="main">Unsubscribe</button></form>`,
    foot: 'You want the mail? Close this page; nothing has changed.',
  });

/** What a problem means to somebody who pressed a button. */
const meaningOf = ({ status, code, detail }: Problem): Omit<Content, 'house'> => {
  if (code === 'link_closed') {
    return {
      title: 'This link no longer works',
      rest: `${paragraph(`It was used already, is older than ${limits.exports.confirmationHours} hours, or was withdrawn. Nothing has changed.`)}${paragraph('If you expect mail, ask the house that asked you to send the question again.')}`,
    };
  }
  return {
    title: 'That did not work',
    rest: `${paragraph(detail)}${status >= 500 ? paragraph('Nothing is lost. Open the link again in a minute.') : ''}`,
  };
};

/** Writes a problem as a page for a browser, and as every other route for a program. */
export const writeProblemPage = (requestId: string, problem: Problem, accept: string): GatewayAnswer => {
  if (!accept.includes('text/html')) return writeProblem(requestId, problem);
  const content: Content = { house: 'Tidemark', ...meaningOf(problem), foot: `Request ${requestId}` };
  return writeAnswer(requestId, {
    status: problem.status,
    headers: { ...headers, ...problem.headers },
    body: page(content),
  });
};
