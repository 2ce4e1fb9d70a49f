/** Samples: writes the example request of an operation for curl, JavaScript and Python. */
import { isObject } from '../../../shared/http/json.ts';
import { escapeMarkup } from '../../../shared/runtime/markup.ts';
import { nameOf, type Api, type Operation, type Parameter, type Shape } from './document.ts';

/** The languages of the samples, in the order of their buttons. */
export const languages = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const;
type Language = keyof typeof languages;

/**
 * The property of a sample stands between two of these, so that the page can put the reader's property in its place. No
 * JSON text escapes this character.
 */
const MARK = '\uE000';
const MARKED = new RegExp(`${MARK}([^${MARK}]*)${MARK}`, 'g');

interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  readonly needsToken: boolean;
  readonly body?: unknown;
}

/** The samples of an operation as HTML text. The property in the path is a `<var>`. */
export const samplesOf = (api: Api, operation: Operation): Readonly<Record<Language, string>> => {
  const request = requestOf(api, operation);
  return { curl: html(curl(request)), javascript: html(javascript(request)), python: html(python(request)) };
};

const html = (text: string): string => escapeMarkup(text).replaceAll(MARKED, '<var>$1</var>');

const requestOf = (api: Api, { method, path, parameters, bodies, needsToken }: Operation): ExampleRequest => {
  const inPath = parameters.filter((one) => one.in === 'path');
  const filled = inPath.reduce((text, one) => text.replace(`{${one.name}}`, () => pathValue(one)), path);
  const query = parameters
    .filter((one) => one.in === 'query' && (one.required || one.example !== undefined))
    .map((one) => `${one.name}=${queryValue(one.example ?? one.name.toUpperCase())}`);
  const json = bodies.find(({ mediaType }) => mediaType === 'application/json');
  const body = json && (json.example ?? (json.shape ? exampleOf(api, json.shape) : undefined));
  return {
    method,
    url: `${api.baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    needsToken,
    ...(body === undefined ? {} : { body }),
  };
};

const pathValue = ({ name, example }: Parameter): string => {
  const value = example === undefined ? name.toUpperCase() : encodeURIComponent(wordsOf(example));
  return name === 'property_id' ? `${MARK}${value}${MARK}` : value;
};

/** A value in a query. Commas separate the entries of a list. */
const queryValue = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).map((entry) => encodeURIComponent(wordsOf(entry))).join(',');

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The smallest value that a shape takes: the members that it requires, and one item for each list that needs one. */
const exampleOf = (api: Api, shape: Shape): unknown => {
  if (shape.$ref !== undefined) return exampleOf(api, api.models[nameOf(shape.$ref)] ?? {});
  const { const: only, enum: values, properties = {}, required = [], items, minItems = 0 } = shape;
  if (only !== undefined) return only;
  if (values) return values[0];
  const [option] = shape.anyOf ?? shape.oneOf ?? [];
  if (option) return exampleOf(api, option);
  if (items) return minItems > 0 ? [exampleOf(api, items)] : [];
  if (shape.type === 'object')
    return Object.fromEntries(required.map((name) => [name, exampleOf(api, properties[name] ?? {})]));
  return scalars[typeof shape.type === 'string' ? shape.type : 'string'] ?? '…';
};

const scalars: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: true };

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

const indented = (text: string, by = '  '): string => text.replaceAll('\n', `\n${by}`);

const python = ({ method, url, needsToken, body }: ExampleRequest): string =>
  [
    ...(needsToken ? ['import os'] : []),
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    ...(needsToken ? ['    headers={"Authorization": "Bearer " + os.environ["TOKEN"]},'] : []),
    ...(body === undefined ? [] : [`    json=${indented(pythonValue(body), '    ')},`]),
    ')',
    'print(answer.status_code, answer.text)',
  ].join('\n');

/** A JSON value as Python writes it. */
const pythonValue = (value: unknown): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return bracketed('[', ']', value.map(pythonValue));
  if (isObject(value)) {
    return bracketed(
      '{',
      '}',
      Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pythonValue(member)}`),
    );
  }
  return JSON.stringify(value);
};

const bracketed = (open: string, close: string, parts: readonly string[]): string =>
  parts.length === 0
    ? `${open}${close}`
    : `${open}\n    ${parts.map((part) => indented(part, '    ')).join(',\n    ')},\n${close}`;
