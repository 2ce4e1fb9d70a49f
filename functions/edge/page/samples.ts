/** Samples: writes the example request of an operation for curl, the clients, and JavaScript alone. */
import { escapeMarkup } from '../../../shared/runtime/markup.ts';
import type { Api, Operation } from './document.ts';
import { MARK, requestOf, type ExampleRequest } from './example-request.ts';
import { python } from './python.ts';
import { typescript } from './typescript.ts';

/** The languages of the samples, in the order of their buttons. */
export const languages = {
  curl: 'curl',
  tidemark: 'tidemark (TypeScript)',
  javascript: 'fetch',
  python: 'tidemark (Python)',
} as const;
/** Texts in each language, as HTML. */
export type Samples = Readonly<Record<keyof typeof languages, string>>;

const MARKED = new RegExp(`${MARK}([^${MARK}]*)${MARK}`, 'g');

/** The samples of an operation as HTML text. The property in the path is a `<var>`. */
export const samplesOf = (api: Api, operation: Operation): Samples => {
  const request = requestOf(api, operation);
  return {
    curl: html(curl(request)),
    tidemark: html(typescript(request)),
    javascript: html(javascript(request)),
    python: html(python(request)),
  };
};

/** A text as HTML. What is between two marks is a `<var>`. */
export const html = (text: string): string => escapeMarkup(text).replaceAll(MARKED, '<var>$1</var>');

const curl = ({ method, url, needsToken, body }: ExampleRequest): string =>
  [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellText(url)}`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${shellText(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');

const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const javascript = ({ method, url, needsToken, body }: ExampleRequest): string => {
  const headers = [
    ...(needsToken ? ['Authorization: `Bearer ${process.env.TOKEN}`'] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
  ];
  const given = options.length === 0 ? '' : `, {\n  ${options.join('\n  ')}\n}`;
  return `const answer = await fetch(${JSON.stringify(url)}${given});\nconsole.log(answer.status, await answer.text());`;
};

const indented = (text: string): string => text.replaceAll('\n', '\n  ');
