/**
 * Documentation page: renders the operations of the API as one page of HTML, from the same entries as the OpenAPI
 * document.
 */
import type { JsonSchema } from '@valibot/to-json-schema';
import { escapeMarkup } from '../runtime/markup.ts';
import { docsStyle } from './docs-style.ts';
import { problemMeanings, type Operation } from './openapi.ts';

/** The page needs no scripts and no external resources. */
export const docsPage = (operations: readonly Operation[], baseUrl: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tidemark API</title>
<style>${docsStyle}</style>
<header>
<h1>Tidemark API</h1>
<p>Base address <code>${escapeMarkup(baseUrl)}</code>. Send <code>Authorization: Bearer …</code> with a token from
<a href="#issueToken"><code>POST /oauth/token</code></a>. The same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
</header>
<nav><ul>${operations.map(link).join('')}</ul></nav>
<main>
${operations.map(section).join('\n')}
<section id="errors"><h2>Errors</h2>
<p>Every error is <code>application/problem+json</code> with a stable <code>code</code>; the token route answers as RFC 6749 says.</p>
${rowsTable(
  ['Status', 'When'],
  Object.entries(problemMeanings).map(([status, meaning]) => [status, escapeMarkup(meaning)]),
)}</section>
</main>
</html>
`;

const link = ({ name, method, path, internal }: Operation): string =>
  `<li><a href="#${name}">${badge(method)} <code>${escapeMarkup(path)}</code></a>${internal ? ' <small>internal</small>' : ''}</li>`;

const badge = (method: string): string => `<b class="${method.toLowerCase()}">${method}</b>`;

const section = (operation: Operation): string => {
  const { name, method, path, summary, aliases, needsToken, internal, parameters, body, answer } = operation;
  const notes = [
    ...(needsToken ? [] : ['No token needed.']),
    ...(internal ? ['Internal.'] : []),
    ...(aliases.length > 0
      ? [`Also at ${aliases.map((alias) => `<code>${escapeMarkup(alias)}</code>`).join(', ')}.`]
      : []),
  ];
  return `<section id="${name}"><h2>${badge(method)} <code>${escapeMarkup(path)}</code></h2>
<p>${escapeMarkup(summary)}. ${notes.join(' ')}</p>
${parameters.length > 0 ? `<h3>Parameters</h3>${parametersTable(parameters)}` : ''}
${body ? `<h3>Body</h3>${schemaTable(body)}` : ''}
${answer ? `<h3>Answer ${operation.statuses.join(', ')}</h3>${schemaTable(answer)}` : `<p>Answers ${operation.statuses.join(', ')}.</p>`}
<p>Errors: ${operation.problems.map((status) => `<a href="#errors">${status}</a>`).join(', ')}.</p></section>`;
};

const parametersTable = (parameters: Operation['parameters']): string =>
  rowsTable(
    ['Name', 'In', 'Type', ''],
    parameters.map(({ name, in: place, schema, required }) => [
      `<code>${escapeMarkup(name)}</code>`,
      place,
      escapeMarkup(typeOf(schema)),
      required ? 'required' : '',
    ]),
  );

const schemaTable = (schema: JsonSchema): string => {
  const rows = rowsOf(schema, '');
  return rows.length > 0
    ? rowsTable(['Field', 'Type', ''], rows)
    : `<p><code>${escapeMarkup(typeOf(schema))}</code></p>`;
};

/** Nested objects become dotted names; `[]` stands for the elements of a list. */
const rowsOf = (schema: JsonSchema, prefix: string): readonly (readonly string[])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    if (typeof member === 'boolean') return [];
    const full = `${prefix}${name}`;
    const required = (schema.required ?? []).includes(name) ? 'required' : '';
    const { items } = member;
    const inner =
      typeof items === 'object' && !Array.isArray(items)
        ? rowsOf(items, `${full}[].`)
        : rowsOf(member, `${full}.`);
    return [[`<code>${escapeMarkup(full)}</code>`, escapeMarkup(typeOf(member)), required], ...inner];
  });

const typeOf = (schema: JsonSchema): string => {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.$ref !== undefined) return 'nested: see OpenAPI';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map((one) => (typeof one === 'boolean' ? 'any' : typeOf(one))).join(' | ');
  const { items, type } = schema;
  if (type === 'array' && typeof items === 'object' && !Array.isArray(items)) return `${typeOf(items)}[]`;
  const kind = Array.isArray(type) ? type.join(' | ') : (type ?? 'any');
  return [kind, ...boundsOf(schema)].join(', ');
};

const boundsOf = ({
  minimum,
  maximum,
  minLength,
  maxLength,
  format,
  ...rest
}: JsonSchema): readonly string[] => [
  ...(format === undefined ? [] : [format]),
  ...(minimum === undefined ? [] : [`≥ ${minimum}`]),
  ...(maximum === undefined ? [] : [`≤ ${maximum}`]),
  ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
  ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ...(rest.default === undefined ? [] : [`default ${JSON.stringify(rest.default)}`]),
];

const rowsTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;
