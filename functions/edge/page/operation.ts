/** Operation: renders one operation of the API, or one webhook, as a section of the page. */
import { escapeMarkup } from '../../../shared/runtime/markup.ts';
import { nameOf, type Answer, type Api, type Content, type Operation, type Parameter } from './document.ts';
import { field, fieldsOf, modelLink } from './fields.ts';
import { languages, samplesOf, type Samples } from './samples.ts';
import { address, blocks, code, inline, part } from './text.ts';

/** The short name of an operation: its summary up to the first colon or semicolon. */
export const titleOf = ({ summary }: Operation): string => summary.split(/[:;]/)[0] ?? summary;

/** The method as a coloured word. */
export const badge = (method: string): string => `<b class="${method.toLowerCase()}">${method}</b>`;

/** The section of an operation. */
export const operationSection = (api: Api, operation: Operation): string =>
  `<section id="${operation.id}"><h3><a href="#${operation.id}">${escapeMarkup(titleOf(operation))}</a></h3>
<p class="address">${badge(operation.method)} ${address(operation.path)} ${tryLink(operation)}</p>
${sentences(operation)}${sampleTabs(samplesOf(api, operation))}
${part(
  'Fields, answer and errors',
  `${firstExample(operation)}${parameters(operation.parameters)}${body(api, operation.bodies)}
<h4>Answer</h4>${operation.answers.filter(isSuccess).map(answerPart).join('')}
${errors(api, operation)}`,
)}</section>`;

/** The link to the operation on the page that sends it. */
const tryLink = ({ tag, id }: Operation): string =>
  `<a class="try" href="/docs/try#/${encodeURIComponent(tag)}/${id}">Try it</a>`;

/** The section of a webhook: the service sends the body, so there are no samples and no errors. */
export const webhookSection = (api: Api, webhook: Operation): string =>
  `<section id="webhook-${escapeMarkup(webhook.path)}"><h3><a href="#webhook-${escapeMarkup(webhook.path)}">${escapeMarkup(titleOf(webhook))}</a></h3>
<p class="address">${badge(webhook.method)} ${code(webhook.path)}</p>
${sentences(webhook)}
${part(
  'Fields and answer',
  `${parameters(webhook.parameters)}${body(api, webhook.bodies)}
${webhook.answers.length > 0 ? `<h4>Your answer</h4>${webhook.answers.map(answerPart).join('')}` : ''}`,
)}</section>`;

const sentences = (operation: Operation): string => {
  const { summary, description, needsToken, permission, aliases } = operation;
  const also = aliases.length > 0 ? [`Also at ${aliases.map(address).join(' and ')}.`] : [];
  const notes = [
    ...(needsToken || operation.answers.length === 0 ? [] : ['Needs no token.']),
    ...(permission === undefined ? [] : [`Needs the permission ${code(permission)}.`]),
    ...also,
  ];
  return [
    ...(titleOf(operation) === summary ? [] : [`<p>${inline(summary)}.</p>`]),
    blocks(description),
    ...(notes.length > 0 ? [`<p class="notes">${notes.join(' ')}</p>`] : []),
  ].join('\n');
};

/** Samples with a button for each language. */
export const sampleTabs = (texts: Samples): string => {
  const buttons = Object.entries(languages).map(
    ([language, name]) => `<button type="button" data-language="${language}">${name}</button>`,
  );
  const samplesByLanguage = Object.entries(texts).map(([language, text]) => boxed(text, language));
  return `<div class="samples"><p role="group" aria-label="Language of the sample">${buttons.join('')}</p>${samplesByLanguage.join('')}</div>`;
};

/** The example of the first answer that has one. */
const firstExample = ({ answers }: Operation): string => {
  const found = answers
    .filter(isSuccess)
    .flatMap(({ status, contents }) => contents.map(({ example }) => ({ status, example })))
    .find(({ example }) => example !== undefined);
  if (!found) return '';
  const { status, example } = found;
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return `<figure><figcaption>Example answer, ${status}</figcaption>${boxed(escapeMarkup(text))}</figure>`;
};

/** The lines of an example that fit into its box. */
const LINES = 17;

/** An example as HTML text, in a box with a button where the box cuts it. */
const boxed = (text: string, kind = ''): string => {
  const lines = text.split('\n').length;
  const more =
    lines > LINES ? `<button type="button" class="more ${kind}">Show all ${lines} lines</button>` : '';
  return `<pre class="${kind}" tabindex="0">${text}</pre>${more}`;
};

const isSuccess = ({ status }: Answer): boolean => status < 400;

const parameters = (given: readonly Parameter[]): string => {
  if (given.length === 0) return '';
  const rows = given.map(({ name, in: place, required, description, schema }) =>
    field(
      name,
      description === undefined ? schema : { ...schema, description },
      `${places[place] ?? place}${required && place !== 'path' ? ', required' : ''}`,
    ),
  );
  return `<h4>Parameters</h4><dl>${rows.join('')}</dl>`;
};

const places: Readonly<Record<string, string>> = {
  path: 'in the path',
  query: 'in the query',
  header: 'header',
};

/** The bodies of a request. The fields of a named model are shown here: this is where the reader needs them. */
const body = (api: Api, bodies: readonly Content[]): string =>
  bodies
    .map(({ mediaType, shape }) => {
      const named = shape?.$ref === undefined ? undefined : nameOf(shape.$ref);
      const opened = named === undefined ? shape : api.models[named];
      const link = named === undefined ? '' : `, ${modelLink(named)}`;
      const sentence = opened?.description === undefined ? '' : `<p>${inline(opened.description)}</p>`;
      return `<h4>Body <small>${escapeMarkup(mediaType)}${link}</small></h4>${sentence}${opened ? fieldsOf(opened) : ''}`;
    })
    .join('');

const answerPart = ({ status, description, contents, headers }: Answer): string => {
  const shapes = contents.map(({ mediaType, shape }) => {
    const type = `<small>${escapeMarkup(mediaType)}</small>`;
    if (shape === undefined) return `<p>${type}</p>`;
    if (shape.$ref !== undefined) return `<p>${modelLink(nameOf(shape.$ref))} ${type}</p>`;
    return `<p>${type}</p>${fieldsOf(shape)}`;
  });
  const rows = headers.map(({ name, description: meaning }) =>
    field(name, meaning === '' ? { type: 'string' } : { type: 'string', description: meaning }, 'header'),
  );
  const list =
    rows.length > 0 ? `<details><summary>Headers</summary><dl>${rows.join('')}</dl></details>` : '';
  return `<p><strong>${status}</strong> ${inline(description)}</p>${shapes.join('')}${list}`;
};

/** The codes of an operation, or its statuses when the document has no codes. */
const errors = ({ models }: Api, { errorCodes, answers }: Operation): string => {
  const statuses = answers.filter((answer) => !isSuccess(answer)).map(({ status }) => String(status));
  const shown = errorCodes.length > 0 ? errorCodes : statuses;
  if (shown.length === 0) return '';
  const linked = shown.map((name) => {
    const list = Object.entries(models).find(
      ([model, { enum: values }]) => errorModels.has(model) && values?.includes(name),
    );
    return list ? `<a href="#${list[0]}.${name}">${code(name)}</a>` : code(name);
  });
  return `<h4>Errors</h4><p class="codes">${linked.join(' ')}</p>`;
};

/** The models whose values are error codes. */
const errorModels: ReadonlySet<string> = new Set(['ProblemCode', 'OAuthErrorCode']);
