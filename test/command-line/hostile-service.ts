/** A service whose every text tries to take over the terminal. Its answers are the examples of the API document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const root = join(import.meta.dirname, '../..');
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** Sets the title, begins a line, clears the screen, turns the direction of writing, and separates lines. */
export const hostile = 'E\x1b]0;\x07\nVIL\r\x9b2J\x1b[8m\u202e\u2066VIL\u2028';

/** What nothing may write to a terminal. A colour and the redrawing of a line are taken out before. */
export const obeyed = /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]|^VIL/m;

/** What the command line itself writes to a terminal: colours, the live line, and the movements of a question. */
const own = /\x1b\[(?:1|2|22|3[1236]|39)m|\r?\x1b\[2K|\x1b\[\d+[AG]|\x1b\[0J|\r(?=\n)/g;

/** An output without what the command line itself adds in a terminal. */
export const withoutOwn = (output: string): string => output.replaceAll(own, '');

/** Texts on which the way of a command depends. */
const kept = new Set(['status', 'phase', 'state', 'type', 'kind', 'public_key']);

/** Texts that may be missing. */
const missing = new Set(['message', 'detail', 'last_error', 'name', 'error_detail']);

const spoil = (value: unknown, address: string, key = ''): unknown => {
  if (key === 'next_page') return null;
  if (key === 'headers') return {};
  if (value === null && missing.has(key)) return hostile;
  if (typeof value === 'string') {
    if (/^https?:/.test(value)) return `${address}/file`;
    return kept.has(key) ? value : hostile + value + hostile;
  }
  if (Array.isArray(value)) return value.map((one) => spoil(one, address, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoil(one, address, name)]));
};

const document = v.parse(
  v.object({
    paths: v.record(v.string(), v.record(v.string(), v.looseObject({ operationId: v.string() }))),
  }),
  read('openapi.json'),
);
const example = v.object({ answer: v.object({ status: v.number(), body: v.optional(v.unknown()) }) });

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    operationId,
    method: method.toUpperCase(),
    // A fixed part of a path counts more than a variable.
    variables: path.split('{').length,
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  })),
);

/** The answer of the service to a request. */
export const hostileAnswer = (
  method: string,
  pathname: string,
  address: string,
): { readonly status: number; readonly body: unknown } => {
  const [found] = operations
    .filter((operation) => operation.method === method && operation.path.test(pathname))
    .toSorted((one, other) => one.variables - other.variables);
  if (found === undefined) return { status: 200, body: hostile };
  const { status, body } = v.parse(example, read(`docs/examples/${found.operationId}.json`)).answer;
  return { status, body: spoil(body, address) };
};

/** A refusal of any request. */
export const hostileProblem = {
  status: 422,
  body: {
    code: 'invalid',
    detail: `It is ${hostile}.`,
    errors: [{ pointer: `/${hostile}`, code: 'x', detail: hostile }],
  },
} as const;
