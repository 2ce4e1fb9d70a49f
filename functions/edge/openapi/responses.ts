/** Responses of the operations: successes, and the problems that all operations share. */
import type { HttpTrigger } from '../../entry.ts';
import { errorStatusesOf } from './codes.ts';
import { objectFrom, refTo, type Json } from './json.ts';

/** The meaning of each error status, on every route that returns it. */
const problemMeanings: Readonly<Record<number, string>> = {
  400: 'The request is malformed: not JSON, not UTF-8, an unknown or malformed query parameter, a forged cursor.',
  401: 'The token is missing, malformed, unknown, expired or revoked.',
  403: 'The token lacks the permission of the route, or the secret in the address opens nothing, or no longer opens anything.',
  404: 'There is no such thing, or it belongs to another account.',
  409: 'Something else is in the way.',
  413: 'The body is too large. Upload the data as a file.',
  415: 'The route does not take a body of this media type or character set.',
  422: 'The body is JSON, but it breaks the schema or a rule. `errors` names each fault.',
  429: 'Too many requests. `Retry-After` says how long to wait.',
  500: 'The service failed.',
  503: 'The service is busy or a part of it is down. Try again.',
};

const successMeanings: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. The work goes on after the answer.',
  303: 'The answer is a file. `Location` is its address, which needs no token and expires after minutes.',
};

const problemContent = { 'application/problem+json': { schema: refTo('Problem') } };
const oauthContent = { 'application/json': { schema: refTo('OAuthError') } };

const problemName = (status: number): string => `Problem${status}`;

/** The problem responses that operations refer to by name. */
export const sharedResponses = (): Json =>
  Object.fromEntries(
    Object.entries(problemMeanings).map(([status, description]) => [
      problemName(Number(status)),
      { description, headers: headersOf(problemHeaders(Number(status))), content: problemContent },
    ]),
  );

/** The responses of a route; `answer` is the JSON Schema of its success. */
export const responsesOf = (trigger: HttpTrigger, answer: Json | undefined): Json =>
  objectFrom([
    ...trigger.statuses.map((status): [string, Json] => [
      String(status),
      {
        description: successMeanings[status],
        headers: headersOf(successHeaders(trigger, status)),
        ...(status < 300 ? contentOf(trigger, answer) : {}),
      },
    ]),
    ...errorStatusesOf(trigger).map((status): [string, Json] => [String(status), problemOf(trigger, status)]),
  ]);

const problemOf = ({ oauthErrors, problemPages }: HttpTrigger, status: number): Json => {
  if (!oauthErrors && !problemPages) return { $ref: `#/components/responses/${problemName(status)}` };
  return {
    description: problemMeanings[status],
    headers: headersOf(problemHeaders(status)),
    content: oauthErrors ? oauthContent : { ...problemContent, 'text/html': { schema: { type: 'string' } } },
  };
};

const problemHeaders = (status: number): readonly string[] => [
  'X-Request-Id',
  ...(status === 401 || status === 403 ? ['WWW-Authenticate'] : []),
  ...(status === 409 || status === 429 || status === 503 ? ['Retry-After'] : []),
];

const successHeaders = ({ method, auth, headers = [] }: HttpTrigger, status: number): readonly string[] => [
  'X-Request-Id',
  ...(method === 'POST' && auth === 'token' ? ['Idempotency-Replayed'] : []),
  ...(status === 303 ? ['Location'] : headers),
];

const headersOf = (names: readonly string[]): Json =>
  objectFrom(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const headerOf = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema });

/** The headers that responses refer to by name. */
export const sharedHeaders: Json = {
  'X-Request-Id': headerOf('The id of the request. Name it when you ask for help.'),
  'Idempotency-Replayed': headerOf('`true` if this is the answer to an earlier request with the same key.', {
    type: 'string',
    const: 'true',
  }),
  Link: headerOf('The next page: an address with `rel="next"`. Absent on the last page.'),
  Location: headerOf('Where to go on. An answer to `HEAD` may lack it.', { type: 'string', format: 'uri' }),
  'Content-Disposition': headerOf('The name of the file, if the answer is one.'),
  'Retry-After': headerOf('How many seconds to wait before the next attempt.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  'WWW-Authenticate': headerOf('How to authenticate, and what was wrong with the token.'),
};

/** The content of a success: JSON by its schema, and text in other media types. */
const contentOf = ({ mediaTypes }: HttpTrigger, answer: Json | undefined): Json => {
  const types = mediaTypes ?? (answer ? ['application/json'] : []);
  if (types.length === 0) return {};
  const schemaOf = (type: string): Json =>
    type === 'application/json' ? (answer ?? { type: 'object' }) : { type: 'string' };
  return { content: Object.fromEntries(types.map((type) => [type, { schema: schemaOf(type) }])) };
};

const text = (description: string): Json => ({ type: 'string', description });

/** The models of errors, which no schema of the service describes. */
export const errorModels: Readonly<Record<string, Json>> = {
  Problem: {
    type: 'object',
    description: 'An error, as RFC 9457 describes it.',
    required: ['type', 'title', 'status', 'code', 'detail', 'request_id'],
    properties: {
      type: text('The kind of the problem as a URN: `urn:tidemark:problem:` and the code.'),
      title: text('The meaning of the status.'),
      status: { type: 'integer', description: 'The status of the answer.' },
      code: refTo('ProblemCode'),
      detail: text('What went wrong, in words for people. The words may change.'),
      request_id: text('The id of the request, also in the header `X-Request-Id`.'),
      errors: {
        type: 'array',
        description: 'The faults of the request, when it has any.',
        items: refTo('ProblemError'),
      },
    },
  },
  ProblemError: {
    type: 'object',
    description: 'A fault of a request.',
    required: ['pointer', 'code', 'detail'],
    properties: {
      pointer: text('The place of the fault: a JSON pointer (RFC 6901) into the body, or a parameter name.'),
      code: refTo('FaultCode'),
      detail: text(
        'What is wrong, in words for people. A refused value is never repeated, unless it is an id.',
      ),
    },
  },
  OAuthError: {
    type: 'object',
    description: 'An error of a route under `/oauth`, as RFC 6749, section 5.2, describes it.',
    required: ['error'],
    properties: {
      error: refTo('OAuthErrorCode'),
      error_description: text('What went wrong, in words for people.'),
    },
  },
};
