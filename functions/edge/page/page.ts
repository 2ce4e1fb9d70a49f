/** Reference page: renders the OpenAPI document as one page of HTML that needs no other file. */
import { escapeMarkup } from '../../../shared/runtime/markup.ts';
import { apiOf, type Api, type Operation, type Shape } from './document.ts';
import { fieldsOf } from './fields.ts';
import { badge, operationSection, titleOf, webhookSection } from './operation.ts';
import { firstCall } from './first-call.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { blocks, code, inline, part } from './text.ts';

/** The page of an OpenAPI document. @throws Error when the document lacks what the page needs. */
export const referencePage = (document: unknown): string => {
  const api = apiOf(document);
  return `<!doctype html>
<html lang="en" data-language="curl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(api.title)} API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>
<h1>${escapeMarkup(api.title)} API</h1>
<p>Base address ${code(api.baseUrl)}. The same as <a href="/openapi.json">OpenAPI 3.1</a>. <a href="/docs/try">Try operations</a> with your token.</p>
<p><label>Your property <input id="property" inputmode="numeric" size="8" placeholder="1001"></label> goes into all samples.
They read your access token from the environment variable ${code('TOKEN')}.</p>
</header>
${contents(api)}
<main>
${firstCall(api.baseUrl)}
<section id="about"><details><summary>The rules that all operations share</summary>${blocks(api.description)}</details></section>
${api.tags.map((tag) => group(api, tag)).join('\n')}
${webhooks(api)}
<h2 id="models">Models</h2>
${Object.entries(api.models).map(modelSection).join('\n')}
</main>
<script>${script}</script>
</body>
</html>
`;
};

const ofTag = ({ operations }: Api, tag: string): readonly Operation[] =>
  operations.filter((operation) => operation.tag === tag);

const contents = (api: Api): string =>
  `<nav aria-label="Contents"><details id="contents"><summary>Contents</summary>
<input id="filter" type="search" placeholder="Find an operation" aria-label="Find an operation or a model">
<ul id="found"></ul>
${api.tags.map(({ name }) => linkGroup(name, ofTag(api, name).map(operationLink))).join('\n')}
${api.webhooks.length > 0 ? linkGroup('Webhooks', api.webhooks.map(webhookLink)) : ''}
${linkGroup('Models', Object.keys(api.models).map(modelEntry), false)}
<p id="nothing" hidden>Nothing matches.</p>
</details></nav>`;

const linkGroup = (name: string, links: readonly string[], open = true): string =>
  `<details${open ? ' open' : ''}><summary>${escapeMarkup(name)}</summary><ul>${links.join('')}</ul></details>`;

const operationLink = (operation: Operation): string =>
  link(operation.id, `${badge(operation.method)} ${escapeMarkup(titleOf(operation))}`, [
    operation.summary,
    operation.path,
    operation.id,
  ]);

const webhookLink = (webhook: Operation): string =>
  link(`webhook-${webhook.path}`, code(webhook.path), [webhook.summary, webhook.path]);

const modelEntry = (name: string): string => link(name, name, [name]);

/** A link in the contents, found by any of its words. */
const link = (to: string, label: string, words: readonly string[]): string =>
  `<li data-find="${escapeMarkup(words.join(' ').toLowerCase())}"><a href="#${escapeMarkup(to)}">${label}</a></li>`;

const group = (api: Api, { name, description }: Api['tags'][number]): string =>
  `<h2 id="tag-${escapeMarkup(name)}">${escapeMarkup(name)}</h2><p>${inline(description)}</p>
${ofTag(api, name)
  .map((operation) => operationSection(api, operation))
  .join('\n')}`;

const webhooks = (api: Api): string =>
  api.webhooks.length === 0
    ? ''
    : `<h2 id="webhooks">Webhooks</h2><p>Calls that the service makes to an address of yours.</p>
${api.webhooks.map((webhook) => webhookSection(api, webhook)).join('\n')}`;

const modelSection = ([name, shape]: readonly [string, Shape]): string =>
  `<section id="${name}"><h3><a href="#${name}">${name}</a></h3>
${shape.description === undefined ? '' : `<p>${inline(shape.description)}</p>`}
${shape.enum ? part('Values', valuesOf(name, shape)) : part('Fields', fieldsOf(shape))}</section>`;

/** The values of an enumeration. Where they have sentences, each has a place of its own that links lead to. */
const valuesOf = (name: string, { enum: values = [], 'x-enum-descriptions': meanings }: Shape): string => {
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  if (!meanings)
    return `<p class="codes">${texts.map((text) => `<code id="${name}.${escapeMarkup(text)}">${escapeMarkup(text)}</code>`).join(' ')}</p>`;
  const rows = texts.map(
    (text, at) =>
      `<dt id="${name}.${escapeMarkup(text)}">${code(text)}</dt><dd><p>${inline(meanings[at] ?? '')}</p></dd>`,
  );
  return `<dl>${rows.join('')}</dl>`;
};
